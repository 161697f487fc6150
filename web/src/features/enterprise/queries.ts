/** Calls of enterprises: who is in it, what it may, what it costs. */
import type { Page } from '@hengxi/contracts/http';
import type {
  ContentChange,
  Contract,
  Copied,
  CopiedRow,
  CopyBody,
  ContentEntry,
  Enterprise,
  EnterpriseCard,
  EnterpriseChange,
  Holdings,
  Invite,
  InviteBody,
  InviteShown,
  JoinedEnterprise,
  LogEntry,
  Member,
  MemberChange,
  NewEnterprise,
  ReassignBody,
  SeatOrderBody,
  SeatQuote,
  ShareEntry,
  TransferMade,
  TransferShown,
  Usage,
} from '@hengxi/server/enterprise/schema';
import type { Package } from '@hengxi/server/membership/schema';
import type { Order, OrderMade, Transfer } from '@hengxi/server/orders/schema';
import type { Run } from '@hengxi/server/runs/schema';
import { queryOptions } from '@tanstack/react-query';

import { addressOf, api, authorization } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';

const base = (eid: number): string => `/v1/enterprise/${eid}`;
export const PAGE = 20;

export const reload = (eid: number): Promise<void> => queryClient.invalidateQueries({ queryKey: ['enterprise', eid] });

export const mineQuery = queryOptions({
  queryKey: ['enterprises'],
  queryFn: ({ signal }) => api.get<Page<EnterpriseCard>>('/v1/enterprise', { signal, quiet: true }),
});

export const enterpriseQuery = (eid: number) =>
  queryOptions({
    queryKey: ['enterprise', eid, 'head'],
    queryFn: ({ signal }) => api.get<Enterprise>(base(eid), { signal, quiet: true }),
    retry: false,
  });

function listQuery<T>(eid: number, what: string, query: Record<string, string | number | undefined>) {
  return queryOptions({
    queryKey: ['enterprise', eid, what, query],
    queryFn: ({ signal }) => api.get<Page<T>>(`${base(eid)}/${what}`, { signal, quiet: true, query }),
  });
}

export const membersQuery = (eid: number, page: number, keyword = '', size = PAGE) =>
  listQuery<Member>(eid, 'members', { page, page_size: size, keyword: keyword || undefined });
export const invitesQuery = (eid: number, page: number) => listQuery<Invite>(eid, 'invites', { page, page_size: PAGE });
export const sharesQuery = (eid: number, page: number) =>
  listQuery<ShareEntry>(eid, 'shares', { page, page_size: PAGE });
export const contentQuery = (eid: number, kind: 'file' | 'project', page: number) =>
  listQuery<ContentEntry>(eid, 'content', { kind, page, page_size: PAGE });
export const ordersQuery = (eid: number, page: number) => listQuery<Order>(eid, 'orders', { page, page_size: PAGE });
export const logQuery = (eid: number, page: number, act: string | undefined) =>
  listQuery<LogEntry>(eid, 'log', { page, page_size: PAGE, act });

export const usageQuery = (eid: number) =>
  queryOptions({
    queryKey: ['enterprise', eid, 'usage'],
    queryFn: ({ signal }) => api.get<Usage>(`${base(eid)}/usage`, { signal, quiet: true }),
  });

export const holdingsQuery = (eid: number, mid: number) =>
  queryOptions({
    queryKey: ['enterprise', eid, 'holdings', mid],
    queryFn: ({ signal }) => api.get<Holdings>(`${base(eid)}/members/${mid}/holdings`, { signal, quiet: true }),
    staleTime: 0,
  });

export const inviteQuery = (code: string) =>
  queryOptions({
    queryKey: ['enterprise-invite', code],
    queryFn: ({ signal }) => api.get<InviteShown>('/v1/enterprise/invite', { signal, quiet: true, query: { code } }),
    retry: false,
  });

export const transferQuery = (code: string) =>
  queryOptions({
    queryKey: ['enterprise-transfer', code],
    queryFn: ({ signal }) =>
      api.get<TransferShown>('/v1/enterprise/transfer', { signal, quiet: true, query: { code } }),
    retry: false,
  });

export const copiesQuery = (page: number) =>
  queryOptions({
    queryKey: ['enterprise-copies', page],
    queryFn: ({ signal }) =>
      api.get<Page<CopiedRow>>('/v1/enterprise/copies', { signal, quiet: true, query: { page, page_size: PAGE } }),
  });

export const packagesQuery = queryOptions({
  queryKey: ['seat-packages'],
  queryFn: ({ signal }) =>
    api.get<Page<Package>>('/v1/enterprise/packages', { signal, quiet: true, query: { page: 0, page_size: 99 } }),
  staleTime: 300_000,
});

export const contractsQuery = (eid: number) => listQuery<Contract>(eid, 'contracts', { page: 1, page_size: 200 });

export const copyContent = (eid: number, body: CopyBody) =>
  api.post<Copied>(`${base(eid)}/copies`, body, { quiet: true, timeout: 120_000, claims: [20002] });
export const sendSigned = (eid: number, id: number, file: File) =>
  api.post<Contract>(`${base(eid)}/contracts/${id}/signed`, file, { timeout: 120_000 });
export const beginArchive = (eid: number) => api.post<Run>(`${base(eid)}/export`);
export const make = (body: NewEnterprise) => api.post<Enterprise>('/v1/enterprise', body, { claims: [30090, 30311] });
export const change = (eid: number, body: EnterpriseChange) => api.patch<Enterprise>(base(eid), body);
export const dissolve = (eid: number) => api.delete<Enterprise>(base(eid));
export const changeMember = (eid: number, mid: number, body: MemberChange) =>
  api.patch<Member>(`${base(eid)}/members/${mid}`, body);
export const removeMember = (eid: number, mid: number, query: Record<string, string | number | undefined>) =>
  api.delete<null>(`${base(eid)}/members/${mid}`, { query });
export const invite = (eid: number, body: InviteBody) => api.post<Page<Invite>>(`${base(eid)}/invites`, body);
export const withdraw = (eid: number, id: number) => api.delete<null>(`${base(eid)}/invites/${id}`);
export const join = (code: string) => api.post<JoinedEnterprise>('/v1/enterprise/invite/accept', { code });
export const askTransfer = (eid: number, member_id: number) =>
  api.post<TransferMade>(`${base(eid)}/transfer`, { member_id });
export const cancelTransfer = (eid: number) => api.delete<null>(`${base(eid)}/transfer`);
export const answerTransfer = (code: string, word: 'accept' | 'refuse') =>
  api.post<null>(`/v1/enterprise/transfer/${word}`, { code });
export const quote = (eid: number, body: SeatOrderBody, signal: AbortSignal) =>
  api.post<SeatQuote>(`${base(eid)}/orders/quote`, body, { quiet: true, signal });
export const orderSeats = (eid: number, body: SeatOrderBody) => api.post<OrderMade>(`${base(eid)}/orders`, body);
export const bankTransfer = (order_no: string) => api.get<Transfer>(`/v1/user/orders/${order_no}/transfer`);
export const sendProof = (order_no: string, payer: string, file: File) =>
  api.post<Transfer>(`/v1/user/orders/${order_no}/transfer-proof`, file, { query: { payer }, timeout: 120_000 });
export const openContent = (eid: number, body: ContentChange) =>
  api.patch<{ changed: number }>(`${base(eid)}/content`, body);
export const reassign = (eid: number, body: ReassignBody) =>
  api.post<{ moved: number }>(`${base(eid)}/content/reassign`, body);
export const endShare = (eid: number, code: string) => api.delete<null>(`${base(eid)}/shares/${code}`);

/** A file behind the session, saved under a name. */
async function save(path: string, name: string): Promise<void> {
  const answer = await fetch(addressOf(path), { headers: authorization() });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const url = URL.createObjectURL(await answer.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export const saveLog = (eid: number) => save(`${base(eid)}/log.csv`, '企业操作日志.csv');
export const saveContract = (order_no?: string) =>
  save(
    `/v1/enterprise/corporate-transfer/template${order_no ? `?order_no=${order_no}` : ''}`,
    '企业版服务订购合同.docx',
  );
