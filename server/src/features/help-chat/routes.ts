/** /v1/ai/customer/chat: a token for ten minutes, and answers out of the help pages. */
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { ChatAnswer, ChatMessage, ChatToken } from './schema.ts';
import type { HelpChat } from './service.ts';

export function helpChatRoutes(app: App, { chat }: { chat: HelpChat }): void {
  route(app, {
    method: 'GET',
    url: '/v1/ai/customer/chat/token',
    access: 'session',
    summary: 'A token for the chat of this person, for ten minutes',
    answer: ChatToken,
    handler: ({ actor }) => chat.token(actor),
  });

  route(app, {
    method: 'POST',
    url: '/v1/ai/customer/chat/messages',
    access: 'session',
    summary: 'One question, answered out of the help pages',
    body: ChatMessage,
    answer: ChatAnswer,
    handler: ({ actor, body }) => chat.answer(actor, body.access_token, body.text),
  });
}
