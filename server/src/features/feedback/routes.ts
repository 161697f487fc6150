/** /v1/feedback: telling us something, with pictures; one's own and what was answered. */
import type { App } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import {
  Feedback,
  FeedbackBody,
  FeedbackId,
  FeedbackList,
  FeedbackPage,
  IMAGE_BYTES,
  ImageMade,
  MessageBody,
} from './schema.ts';
import type { Feedbacks } from './service.ts';

const URL = '/v1/feedback';

export function feedbackRoutes(app: App, { feedbacks }: { feedbacks: Feedbacks }): void {
  route(app, {
    method: 'POST',
    url: URL,
    access: 'session',
    summary: 'Sends feedback, ten a day; the same request_id is the same feedback',
    body: FeedbackBody,
    answer: Feedback,
    handler: async ({ actor, body }) => {
      refuseDemo(actor);
      return feedbacks.send(actor.userId, body);
    },
  });

  route(app, {
    method: 'GET',
    url: URL,
    access: 'session',
    summary: 'Own feedback with its answers, newest first',
    query: FeedbackPage,
    answer: FeedbackList,
    handler: async ({ actor, query }) => feedbacks.list(actor.userId, query),
  });

  route(app, {
    method: 'GET',
    url: `${URL}/:id`,
    access: 'session',
    summary: 'One feedback of oneself',
    params: FeedbackId,
    answer: Feedback,
    handler: async ({ actor, params }) => feedbacks.read(actor.userId, params.id),
  });

  route(app, {
    method: 'POST',
    url: `${URL}/:id/messages`,
    access: 'session',
    summary: 'Adds to a feedback; the desk sees it again',
    params: FeedbackId,
    body: MessageBody,
    answer: Feedback,
    handler: async ({ actor, params, body }) => feedbacks.add(actor.userId, params.id, body.text),
  });

  bytesRoute(app, {
    method: 'POST',
    url: `${URL}/images`,
    access: 'session',
    summary: 'Uploads a picture (octet-stream, png or jpeg, at most 5 MB) for the next feedback',
    bodyLimit: IMAGE_BYTES + 1024,
    answer: ImageMade,
    otherwise: () => new Fault(31512),
    handler: async ({ actor, bytes }) => {
      refuseDemo(actor);
      return { image: await feedbacks.addImage(actor.userId, bytes) };
    },
  });
}
