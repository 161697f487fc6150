/** Answers with pages instead of data. */
import type { FastifyReply } from 'fastify';
import type { App } from '../../lib/deps.ts';
import { messagePage } from './pages.ts';

/** HTML forms post url-encoded; only the routes registered beside this accept it. */
export function acceptForms(app: App): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
}

export const show = (reply: FastifyReply, html: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(html);

export const expired = (reply: FastifyReply, isSandbox: boolean): FastifyReply =>
  show(reply.code(410), messagePage('二维码已过期', '请在电脑上刷新二维码后重新扫码。', isSandbox));

const CONFIRMED = { sign_in: '已确认登录', link: '已确认绑定' };

/** What the phone sees after its answer; null: the code was over. */
export function answered(
  reply: FastifyReply,
  act: 'confirm' | 'refuse',
  about: 'sign_in' | 'link' | null,
  isSandbox: boolean,
): FastifyReply {
  if (about === null) return expired(reply, isSandbox);
  return act === 'confirm'
    ? show(reply, messagePage(CONFIRMED[about], '请回到电脑上继续，本页可以关闭。', isSandbox))
    : show(reply, messagePage('已取消', '什么都没有改变，可以关闭本页。', isSandbox));
}
