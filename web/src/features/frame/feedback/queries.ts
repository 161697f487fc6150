/** Calls of 意见反馈. */
import type { Feedback, FeedbackBody, FeedbackList, VisitorFeedback } from '@hengxi/server/feedback/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query-client.ts';

export const PAGE = 10;

export const mineQuery = (page: number) =>
  queryOptions({
    queryKey: ['feedback', page],
    queryFn: ({ signal }) =>
      api.get<FeedbackList>('/v1/feedback', { signal, quiet: true, query: { page, page_size: PAGE } }),
    staleTime: 0,
  });

export const reloadMine = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['feedback'] });
/** Their texts stand at the form. */
const SHOWN = [31511, 31512, 31513];
export const send = (body: FeedbackBody) => api.post<Feedback>('/v1/feedback', body, { claims: SHOWN });
/** Without an account. */
export const sendAsVisitor = (body: VisitorFeedback) =>
  api.post<null>('/v1/feedback/visitor', body, { claims: [...SHOWN, 30203] });
export const add = (id: number, text: string) =>
  api.post<Feedback>(`/v1/feedback/${id}/messages`, { text }, { claims: SHOWN });
export const sendImage = async (file: File): Promise<number> =>
  (await api.post<{ image: number }>('/v1/feedback/images', file, { claims: SHOWN, timeout: 120_000 })).image;
