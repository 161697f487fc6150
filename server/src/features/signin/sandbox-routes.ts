/** The sandbox's own providers: the page a QR code opens, and sign-in pages of the two platforms. Never in production. */
import type { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { missing } from '../../lib/errors.ts';
import { sameText } from '../../lib/keys.ts';
import { digestSubject } from '../accounts/service.ts';
import { originOf } from './flows.ts';
import { scanPage, signInPage } from './pages.ts';
import type { createSandboxAcademic, createSandboxResearch } from './providers.ts';
import { acceptForms, answered, expired, show } from './replies.ts';
import { SandboxAcademic, SandboxAnswer, SandboxResearch, ScanAct, ScanParams } from './schema.ts';
import type { SigninDeps } from './routes.ts';
import { answerTicket, openTicket } from './wechat.ts';

interface Sandbox {
  research: ReturnType<typeof createSandboxResearch>;
  academic: ReturnType<typeof createSandboxAcademic>;
}

const NAMELESS = '沙箱用户';

export async function sandboxRoutes(root: App, deps: SigninDeps, sandbox: Sandbox): Promise<void> {
  const { config, keys } = deps;
  const { providers } = config;
  const options = (summary: string, more: Record<string, z.ZodType>) => ({
    config: { access: 'sandbox', limit: 'signin' } as const,
    schema: { summary, tags: ['sandbox'], ...more },
  });
  /** Only back to ourselves: the sandbox must not be of use for leading people elsewhere. */
  const back = (origin: string, address: string): URL => {
    const url = URL.canParse(address, origin) ? new URL(address, origin) : null;
    if (!url || url.origin !== origin) throw missing();
    return url;
  };

  await root.register(async (app) => {
    acceptForms(app);

    if (providers.wechat.kind === 'sandbox') {
      app.get(
        '/sandbox/wechat/:ticket',
        options('The page that the QR code opens', { params: ScanParams }),
        async (request, reply) => {
          const { ticket } = ScanParams.parse(request.params);
          const scanned = await openTicket(deps, ticket);
          return scanned?.isOpen
            ? show(reply, scanPage(scanned, `/sandbox/wechat/${ticket}`, true))
            : expired(reply, true);
        },
      );
      app.post(
        '/sandbox/wechat/:ticket',
        options('Confirms or refuses as a WeChat user of this name', { params: ScanParams, body: ScanAct }),
        async (request, reply) => {
          const { ticket } = ScanParams.parse(request.params);
          const { act, who } = ScanAct.parse(request.body);
          const nickname = who?.trim() || '微信用户';
          const person = { subjectDigest: digestSubject(keys, 'wechat', `sandbox ${nickname}`), nickname };
          return answered(reply, act, await answerTicket(deps, ticket, act, { person }), true);
        },
      );
    }

    if (providers.research.kind === 'sandbox') {
      const read = (query: unknown) => {
        const visit = SandboxResearch.parse(query);
        if (!sameText(visit.signature, sandbox.research.sign(visit.noncestr, Number(visit.timestamp), visit.href)))
          throw missing();
        return visit;
      };
      app.get(
        '/sandbox/research',
        options('Sign-in page of the sandbox research platform', { querystring: SandboxResearch }),
        async (request, reply) => {
          read(request.query);
          return show(reply, signInPage('科研平台登录', '姓名', '研究者', request.url));
        },
      );
      app.post(
        '/sandbox/research',
        options('Goes back with openId and its signature', { querystring: SandboxResearch, body: SandboxAnswer }),
        async (request, reply) => {
          const { href, noncestr } = read(request.query);
          const { act, who } = SandboxAnswer.parse(request.body);
          const url = back(originOf(request, config), href);
          const name = who.trim() || NAMELESS;
          const openid = keys.digest('sandbox-openid', name).slice(0, 28);
          const signature = sandbox.research.answer(openid, noncestr);
          const facts =
            act === 'login' ? { openId: openid, nickName: name, noncestr, signature } : { error_msg: '已取消登录' };
          for (const [key, value] of Object.entries(facts)) url.searchParams.set(key, value);
          return reply.redirect(url.href, 303);
        },
      );
    }

    if (providers.academic.kind === 'sandbox') {
      app.get(
        '/sandbox/academic',
        options('Sign-in page of the sandbox academic search', { querystring: SandboxAcademic }),
        async (request, reply) => {
          SandboxAcademic.parse(request.query);
          return show(reply, signInPage('学术搜索登录', '账号', '读者', request.url));
        },
      );
      app.post(
        '/sandbox/academic',
        options('Goes back with a code', { querystring: SandboxAcademic, body: SandboxAnswer }),
        async (request, reply) => {
          const { redirect_uri: address, state } = SandboxAcademic.parse(request.query);
          const { act, who } = SandboxAnswer.parse(request.body);
          const url = back(originOf(request, config), address);
          url.searchParams.set('state', state);
          if (act === 'login') url.searchParams.set('code', sandbox.academic.code(who.trim() || NAMELESS));
          else url.searchParams.set('error', 'access_denied');
          return reply.redirect(url.href, 303);
        },
      );
    }
  });
}
