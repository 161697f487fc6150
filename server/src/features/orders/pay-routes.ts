/** Where money comes in: notices of providers, the page behind the picture of method 1, the cashier of the sandbox. */
import { z } from 'zod';
import type { App, Deps } from '../../lib/deps.ts';
import { missing, tooMany } from '../../lib/errors.ts';
import { networkOf } from '../../lib/limits.ts';
import { route } from '../../lib/route.ts';
import { cashierPage, payEndPage } from './cashier-page.ts';
import { OrderNo } from './schema.ts';
import type { Orders } from './service.ts';

const NOTICE_BYTES = 64 * 1024;
/** Forged notices a network may send; genuine ones are never limited. */
const FORGED = { most: 30, seconds: 60 };

type Parts = Pick<Deps, 'config' | 'limiter'> & { orders: Orders };

export function paymentRoutes(app: App, parts: Parts): void {
  noticeRoute(app, parts);
  followRoute(app, parts);
  if (parts.orders.cashiers.sandbox) cashierRoutes(app, parts);
}

function noticeRoute(app: App, { limiter, orders }: Parts): void {
  void app.register(async (scope) => {
    // The signature stands over the very bytes: whatever their type, they are taken as they are.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: NOTICE_BYTES }, (_, body, done) => {
      done(null, body);
    });
    const forged = new Map<string, number>();
    route(scope, {
      method: 'POST',
      url: '/v1/payments/notify/:provider',
      access: 'capability',
      limit: 'none',
      bodyLimit: NOTICE_BYTES,
      summary: 'Notices of payment providers; believed by their signature alone',
      params: z.object({ provider: z.enum(['wechat', 'alipay', 'sandbox']) }),
      handler: async ({ params, request, reply }) => {
        const provider = orders.cashiers.byName(params.provider);
        if (!provider) throw missing();
        const network = networkOf(request.ip);
        if ((forged.get(network) ?? 0) > Date.now()) throw tooMany(FORGED.seconds);
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const { answer, isForged } = await orders.payments.notice(provider, raw, request.headers);
        if (isForged && limiter.take(`forged net ${network}`, FORGED.most, FORGED.seconds) > 0) {
          if (forged.size > 10_000) forged.clear();
          forged.set(network, Date.now() + FORGED.seconds * 1000);
        }
        return reply.code(answer.status).type(answer.type).send(answer.body);
      },
    });
  });
}

function followRoute(app: App, { orders }: Parts): void {
  route(app, {
    method: 'GET',
    url: '/v1/pay/:ticket',
    access: 'capability',
    summary: 'Behind the picture for either app: leads the scanning browser to its own cashier',
    params: z.object({ ticket: z.string().regex(/^[\w-]{22}$/) }),
    handler: async ({ params, request, reply }) => {
      const { url, order } = await orders.buying.follow(params.ticket, request.headers['user-agent'] ?? '');
      if (url) return reply.redirect(url, 302);
      return reply
        .type('text/html; charset=utf-8')
        .code(order ? 200 : 404)
        .send(payEndPage(order?.state ?? null));
    },
  });
}

/** `payer` names who pays, for trying what happens when two accounts have one. */
const Act = z.strictObject({ act: z.enum(['pay', 'twice', 'refuse']), payer: z.string().max(64).optional() });

function cashierRoutes(app: App, { orders }: Parts): void {
  const { sandbox } = orders.cashiers;
  const page = async (orderNo: string, message: string | null): Promise<string> => {
    const order = await orders.payments.shown(orderNo);
    if (!order) throw missing();
    return cashierPage(order, message);
  };

  void app.register(async (scope) => {
    // The page has no script: its buttons are a plain form. Scripts of testers send JSON.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_, body, done) => {
        done(null, Object.fromEntries(new URLSearchParams(String(body))));
      },
    );

    route(scope, {
      method: 'GET',
      url: '/sandbox/cashier/:order_no',
      access: 'sandbox',
      summary: 'Cashier of the sandbox: pay, pay twice, refuse',
      params: OrderNo,
      handler: async ({ params, reply }) =>
        reply.type('text/html; charset=utf-8').send(await page(params.order_no, null)),
    });

    route(scope, {
      method: 'POST',
      url: '/sandbox/cashier/:order_no',
      access: 'sandbox',
      summary: 'Pays once or twice, or refuses, as a person with an app would',
      params: OrderNo,
      body: Act,
      handler: async ({ params, body, request, reply }) => {
        const order = await orders.payments.shown(params.order_no);
        const provider = orders.cashiers.byName('sandbox');
        if (!order || !sandbox || !provider) throw missing();
        const times = { pay: 1, twice: 2, refuse: 0 }[body.act];
        for (let paid = 0; paid < times; paid += 1) {
          const { raw, headers } = await sandbox.pay(
            { order_no: order.orderNo, amount: order.total, payer: body.payer },
            new Date(),
          );
          await orders.payments.notice(provider, raw, headers);
        }
        const message = { pay: '已付款。', twice: '已付款两次，第二笔将原路退回。', refuse: '已拒绝付款，没有扣款。' }[
          body.act
        ];
        if (!(request.headers.accept ?? '').includes('text/html')) {
          const after = await orders.payments.shown(params.order_no);
          return { state: after?.state ?? null, told: message };
        }
        return reply.type('text/html; charset=utf-8').send(await page(params.order_no, message));
      },
    });
  });
}
