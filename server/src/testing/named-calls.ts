/**
 * How every call that takes anything is asked for a thing by its id, with forms that would be accepted: read by the test
 * that tries each with another person's ids. A new call gets its line here.
 */
import type { Ids } from './fixtures.ts';

const METHOD = '/algorithm/descriptive/frequency';
const FREQUENCY = { variables: ['c1'] };
const FILTER = { name: '条件', condition: 'c1 > 1', filter_type: 'keep', reduce_num: 3 };
const INVOICE = { title: '张三', kind: 'person', email: 'a@b.cn' };
const OCTETS = Buffer.from('123456789');
const EDU = { kind: 'document', name: '张三', school: '大学', role: 'student' };

export interface Asked {
  /** What the id is put into where the path alone does not say it: query, whole address. */
  url?: string;
  body?: Record<string, unknown> | Buffer;
}
/** `own`: the caller's own things; `it`: what is asked for, foreign, absent or own. */
export type Form = (own: Ids, it: Ids) => Asked;
const body =
  (value: Asked['body']): Form =>
  () => ({ body: value! });
const nothing: Form = () => ({});
const QUESTIONNAIRES = '/v1/pro-analysis/projects';
const DUE = '2099-01-01T00:00:00Z';
/** A call of an expert questionnaire, whose id is not that of a project of analyses. */
const asked =
  (at: string, value?: Record<string, unknown>): Form =>
  (_, it) => ({ url: `${QUESTIONNAIRES}/${it.questionnaire}${at}`, ...(value ? { body: value } : {}) });

const ofCoding =
  (at: string, value?: Record<string, unknown>): Form =>
  (_, it) => ({ url: `/v1/text-analysis/codings/${it.coding}${at}`, ...(value ? { body: value } : {}) });

/** A call on a round of the own coding. */
const ofRound =
  (at: string, value?: Record<string, unknown>): Form =>
  (own, it) => ({
    url: `/v1/text-analysis/codings/${own.coding}/rounds/${it.round}${at}`,
    ...(value ? { body: value } : {}),
  });

/** A call within the own season of the contest, on something of it. */
const ofContest =
  (at: (it: Ids) => string, value?: Asked['body']): Form =>
  (own, it) => ({ url: `/v1/contest/${own.cid}/${at(it)}`, ...(value ? { body: value } : {}) });
const ofCheck =
  (at: string, value?: Asked['body']): Form =>
  (_, it) => ({ url: `/v1/plagdet/checks/${it.check}${at}`, ...(value ? { body: value } : {}) });
const judged =
  (at: string, value?: Asked['body']): Form =>
  (_, it) => ({ url: `/v1/contest/judge/assignments/${it.assignment}${at}`, ...(value ? { body: value } : {}) });
const POINTS = { question: 1, data: 1, method: 1, result: 1, writing: 1 };

/** Calls that name something by an id, with a form that passes. */
export const NAMED: Record<string, Form> = {
  'GET /v1/analysis/reports/{id}/ai-result': nothing,
  'POST /v1/analysis/reports/{id}/ai-result': body({ consent: true }),
  'DELETE /v1/analysis/control-limits/{id}': nothing,
  'POST /v1/analysis/control-limits': (_, it) => ({
    body: { project_id: Number(it.pid), report_id: Number(it.rid), rev: 1, name: '老生产线' },
  }),
  'GET /v1/analysis/models/{id}': nothing,
  'PATCH /v1/analysis/models/{id}': body({ name: '新名' }),
  'DELETE /v1/analysis/models/{id}': nothing,
  'POST /v1/analysis/models/{id}/answer': body({ cases: [{ x1: 1 }] }),
  'DELETE /v1/analysis/project/{id}': nothing,
  'POST /v1/analysis/project/{id}': body({ name: '新名' }),
  'POST /v1/analysis/projects/{pid}/export': (_, it) => ({ body: { format: 'docx', reports: [Number(it.rid)] } }),
  'GET /v1/analysis/projects/{pid}/history': nothing,
  'POST /v1/analysis/projects/{pid}/models/export': (_, it) => ({
    body: {
      models: [
        { rid: Number(it.rid), rev: 1 },
        { rid: Number(it.rid), rev: 1 },
      ],
      options: { below: 'se', odds: false, stars: 'usual' },
    },
  }),
  'GET /v1/analysis/projects/{pid}/survey': nothing,
  'PATCH /v1/analysis/projects/{pid}/survey': body({ dropped: [] }),
  'POST /v1/analysis/projects/{pid}/survey/resume': nothing,
  'GET /v1/analysis/survey-plan': (_, it) => ({ url: `/v1/analysis/survey-plan?vid=${it.vid}` }),
  'POST /v1/analysis/survey-reports': (_, it) => ({
    body: { vid: Number(it.vid), name: '整卷报告', parts: [{ key: 'p1', title: '样本构成' }] },
  }),
  'GET /v1/analysis/projects/{pid}/pins': nothing,
  'PUT /v1/analysis/projects/{pid}/pins': body({ pins: [] }),
  'GET /v1/analysis/projects/{pid}/report': nothing,
  'GET /v1/analysis/projects/{pid}/report/{rid}/config': nothing,
  'POST /v1/analysis/projects/{pid}/report/{rid}/config': body({ presentation: {} }),
  'GET /v1/analysis/projects/{pid}/reports': nothing,
  'GET /v1/analysis/projects/{pid}/reports/{rid}': nothing,
  'POST /v1/analysis/projects/{pid}/reports/{rid}': body({ name: '新名' }),
  'DELETE /v1/analysis/projects/{pid}/reports/{rid}': nothing,
  'GET /v1/analysis/projects/{pid}/reports/{rid}/config': nothing,
  'POST /v1/analysis/projects/{pid}/reports/{rid}/config': body({ presentation: {} }),
  'POST /v1/analysis/projects/{pid}/reports/{rid}/data': body({ element: 'e' }),
  'POST /v1/analysis/projects/{pid}/reports/{rid}/export': body({ format: 'docx' }),
  'GET /v1/analysis/projects/{pid}/reports/{rid}/file': (_, it) => ({
    url: `/v1/analysis/projects/${it.pid}/reports/${it.rid}/file?file=x.csv`,
  }),
  'GET /v1/analysis/projects/{pid}/reports/{rid}/rows': nothing,
  'GET /v1/analysis/projects/{pid}/reports/{rid}/shares': nothing,
  'GET /v1/analysis/projects/{pid}/reports/{rid}/table-rows': (_, it) => ({
    url: `/v1/analysis/projects/${it.pid}/reports/${it.rid}/table-rows?file=x.csv`,
  }),
  'POST /v1/analysis/recommend': (_, it) => ({ body: { vid: Number(it.vid), columns: ['c1'] } }),
  'POST /v1/analysis/report/share': (_, it) => ({
    url: `/v1/analysis/report/share?rid=${it.rid}&pid=${it.pid}`,
    body: {},
  }),
  'DELETE /v1/analysis/report/share': (_, it) => ({ url: `/v1/analysis/report/share?code=${it.share}` }),
  'POST /v1/downloads': (_, it) => ({ body: { kind: 'account', id: Number(it.archive) } }),
  'GET /v1/feedback/{id}': nothing,
  'POST /v1/feedback/{id}/messages': body({ text: '再补充一点' }),
  'POST /v1/credits-center/appeals': (_, it) => ({ body: { record_id: Number(it.record), text: '请复核' } }),
  'GET /v1/mall/orders/{no}': nothing,
  'POST /v1/mall/orders/{no}/refund': body({}),
  'GET /v1/quest-record/{id}': nothing,
  'PUT /v1/quest-record/{id}/accept-bonus': body({}),
  'GET /v1/pro-analysis/projects/{pid}': asked(''),
  'PUT /v1/pro-analysis/projects/{pid}': asked('', { title: '新名', content: {}, revision: 1 }),
  'DELETE /v1/pro-analysis/projects/{pid}': asked(''),
  'POST /v1/pro-analysis/projects/{pid}/restore': asked('/restore'),
  'POST /v1/pro-analysis/projects/{pid}/copy': asked('/copy'),
  'POST /v1/pro-analysis/projects/{pid}/dataset': asked('/dataset'),
  'POST /v1/pro-analysis/projects/{pid}/publish': asked('/publish', { due_at: DUE }),
  'PATCH /v1/pro-analysis/projects/{pid}/round': asked('/round', { act: 'close' }),
  'POST /v1/pro-analysis/projects/{pid}/rounds': asked('/rounds', { due_at: DUE }),
  'POST /v1/pro-analysis/projects/{pid}/finish': asked('/finish', {}),
  'GET /v1/pro-analysis/projects/{pid}/experts': asked('/experts'),
  'POST /v1/pro-analysis/projects/{pid}/experts': asked('/experts', { names: ['甲'] }),
  'DELETE /v1/pro-analysis/projects/{pid}/experts/{eid}': (_, it) => ({
    url: `${QUESTIONNAIRES}/${it.questionnaire}/experts/${it.expert}`,
  }),
  'POST /v1/pro-analysis/projects/{pid}/experts/{eid}/link': (own, it) => ({
    url: `${QUESTIONNAIRES}/${own.questionnaire}/experts/${it.expert}/link`,
  }),
  'POST /v1/pro-analysis/projects/{pid}/reminders': (_, it) => ({
    url: `${QUESTIONNAIRES}/${it.questionnaire}/reminders`,
    body: { experts: [Number(it.expert)] },
  }),
  'PUT /v1/pro-analysis/projects/{pid}/public-link': asked('/public-link', { open: true }),
  'GET /v1/contest/{cid}/uploads/{upload}': ofContest((it) => `uploads/${it.work}`),
  'PUT /v1/contest/{cid}/uploads/{upload}': ofContest((it) => `uploads/${it.work}?offset=0`, OCTETS),
  'DELETE /v1/contest/{cid}/appeals/{appeal}': ofContest((it) => `appeals/${it.appeal}`),
  'GET /v1/contest/{cid}/certificates/{certificate}': ofContest((it) => `certificates/${it.certificate}`),
  'GET /v1/contest/judge/assignments/{assignment}/report': judged('/report'),
  'PUT /v1/contest/judge/assignments/{assignment}': judged('', { parts: POINTS, comment: '', lock: false }),
  'POST /v1/contest/judge/assignments/{assignment}/conflict': judged('/conflict', { reason: '认识作者' }),
  'GET /v1/plagdet/checks/{id}': ofCheck(''),
  'DELETE /v1/plagdet/checks/{id}': ofCheck(''),
  'GET /v1/plagdet/checks/{id}/report': ofCheck('/report'),
  'GET /v1/plagdet/checks/{id}/passages/{no}': ofCheck('/passages/0'),
  'POST /v1/plagdet/checks/{id}/exclusions': ofCheck('/exclusions', { quoted: [], own: [], count: [] }),
  'POST /v1/plagdet/checks/{id}/library': ofCheck('/library', { consent: true }),
  'GET /v1/plagdet/checks/{id}/export': ofCheck('/export'),
  'DELETE /v1/plagdet/documents/{id}': (_, it) => ({ url: `/v1/plagdet/documents/${it.compared}` }),
  'GET /v1/runs/{id}': nothing,
  'DELETE /v1/runs/{id}': nothing,
  'GET /v1/runs/{id}/events': nothing,
  'POST /v1/runs/{id}/stop': nothing,
  'GET /v1/text-analysis/codings/{id}': ofCoding(''),
  'DELETE /v1/text-analysis/codings/{id}': ofCoding(''),
  'PUT /v1/text-analysis/codings/{id}/book': ofCoding('/book', { codes: [], version: 1 }),
  'GET /v1/text-analysis/codings/{id}/answers': ofCoding('/answers'),
  'POST /v1/text-analysis/codings/{id}/marks': ofCoding('/marks', { answers: [{ at: 0, version: 0 }], on: [1] }),
  'POST /v1/text-analysis/codings/{id}/accept': ofCoding('/accept', { p: 1 }),
  'POST /v1/text-analysis/codings/{id}/merge': ofCoding('/merge', { from: 1, into: 2 }),
  'POST /v1/text-analysis/codings/{id}/undo': ofCoding('/undo'),
  'POST /v1/text-analysis/codings/{id}/redo': ofCoding('/redo'),
  'POST /v1/text-analysis/codings/{id}/suggest': ofCoding('/suggest'),
  'POST /v1/text-analysis/codings/{id}/draft': ofCoding('/draft', {}),
  'POST /v1/text-analysis/codings/{id}/write': ofCoding('/write'),
  'GET /v1/text-analysis/codings/{id}/rounds': ofCoding('/rounds'),
  'POST /v1/text-analysis/codings/{id}/rounds': ofCoding('/rounds', { kind: 'invited' }),
  'DELETE /v1/text-analysis/codings/{id}/rounds/{round}': ofRound(''),
  'POST /v1/text-analysis/codings/{id}/rounds/{round}/settle': ofRound('/settle', { place: 0, codes: [] }),
  'POST /v1/text-analysis/codings': (_, it) => ({ body: { vid: Number(it.vid), column: 'c1' } }),
  'GET /v1/text-analysis/dictionaries/{id}': nothing,
  'PUT /v1/text-analysis/dictionaries/{id}': body({ name: '另一个名称', lines: ['词'], version: 1 }),
  'DELETE /v1/text-analysis/dictionaries/{id}': nothing,
  'GET /v1/text-analysis/pictures/{id}': nothing,
  'DELETE /v1/text-analysis/pictures/{id}': nothing,
  'POST /v1/text-analysis/custom-labels/update': (_, it) => ({
    body: { id: Number(it.labels), name: '另一组', labels: [{ name: '服务', include: ['热情'] }], version: 1 },
  }),
  'DELETE /v1/text-analysis/custom-labels/delete': (_, it) => ({
    url: `/v1/text-analysis/custom-labels/delete?id=${it.labels}`,
  }),
  'GET /v1/usage_limit/algorithm/check': (_, it) => ({
    url: `/v1/usage_limit/algorithm/check?algo=descriptive/frequency&vid=${it.vid}`,
  }),
  'DELETE /v1/user/coding-schemes/{id}': nothing,
  'POST /v1/user/edu-auth': (_, it) => ({ body: { ...EDU, proof: Number(it.proof) } }),
  'GET /v1/user/file/uploads/{id}': nothing,
  'DELETE /v1/user/file/uploads/{id}': nothing,
  'PUT /v1/user/file/uploads/{id}': (_, it) => ({ url: `/v1/user/file/uploads/${it.upload}?offset=0`, body: OCTETS }),
  'POST /v1/user/file/uploads/{id}/import': body({ name: '数据' }),
  'POST /v1/user/file/uploads/{id}/preview': body({}),
  'GET /v1/user/file/versions/{vid}': nothing,
  'DELETE /v1/user/file/versions/{vid}': nothing,
  'PATCH /v1/user/file/versions/{vid}/active': body({ weight: null }),
  'POST /v1/user/file/versions/{vid}/edge': body({ row: 0, column: 0, to: 'down' }),
  'POST /v1/user/file/versions/{vid}/edits': body({ columns: [{ id: 'c1', name: 'x' }] }),
  'GET /v1/user/file/versions/{vid}/export': nothing,
  'POST /v1/user/file/versions/{vid}/export': body({ format: 'csv' }),
  'POST /v1/user/file/versions/{vid}/filter-count': body({ condition: 'c1 > 1' }),
  'POST /v1/user/file/versions/{vid}/find': body({ text: 'x' }),
  'GET /v1/user/file/versions/{vid}/folders': nothing,
  'PUT /v1/user/file/versions/{vid}/folders': body({ folders: [] }),
  'GET /v1/user/file/versions/{vid}/health': nothing,
  'GET /v1/user/file/versions/{vid}/import-report': nothing,
  'GET /v1/user/file/versions/{vid}/preview-text-data': (_, it) => ({
    url: `/v1/user/file/versions/${it.vid}/preview-text-data?col=c1`,
  }),
  'GET /v1/user/file/versions/{vid}/questionnaire': nothing,
  'PUT /v1/user/file/versions/{vid}/questionnaire': body({ dimensions: [], matrices: [], background: [] }),
  'DELETE /v1/user/file/versions/{vid}/questionnaire': nothing,
  'POST /v1/user/file/versions/{vid}/questionnaire/against': body({ columns: ['c1', 'c2'] }),
  'GET /v1/user/file/versions/{vid}/recipe': nothing,
  'POST /v1/user/file/versions/{vid}/replay': (own) => ({ body: { onto: Number(own.vid) } }),
  'POST /v1/user/file/versions/{vid}/rows': body({}),
  'GET /v1/user/file/versions/{vid}/steps': nothing,
  'POST /v1/user/file/versions/{vid}/steps': (_, it) => ({
    body: { ops: [{ op: 'note', step_id: Number(it.vid), note: '注' }] },
  }),
  'GET /v1/user/file/{fid}': nothing,
  'PATCH /v1/user/file/{fid}': body({ name: '新名' }),
  'DELETE /v1/user/file/{fid}': nothing,
  'GET /v1/user/file/{fid}/filters': nothing,
  'POST /v1/user/file/{fid}/filters': body({ ...FILTER, name: '另一个' }),
  'POST /v1/user/file/{fid}/filters/{id}': body(FILTER),
  'DELETE /v1/user/file/{fid}/filters/{id}': nothing,
  'POST /v1/user/file/{fid}/restore': nothing,
  'PATCH /v1/user/orders': (_, it) => ({ body: { order_no: it.order_no!, state: 'closed' } }),
  'POST /v1/user/orders/invoice': (_, it) => ({ body: { ...INVOICE, order_no: it.order_no! } }),
  'GET /v1/user/orders/invoice/{id}': nothing,
  'PUT /v1/user/orders/invoice/{id}': body(INVOICE),
  'POST /v1/user/orders/payment/qrcode': (_, it) => ({ body: { order_no: it.order_no!, qr: 2 } }),
  'POST /v1/user/orders/payment/qrcode2': (_, it) => ({ body: { order_no: it.order_no! } }),
  'GET /v1/user/orders/payment/state': (_, it) => ({ url: `/v1/user/orders/payment/state?order_no=${it.order_no}` }),
  'GET /v1/user/orders/{order_no}': nothing,
  'GET /v1/user/orders/{order_no}/refund': nothing,
  'POST /v1/user/orders/{order_no}/refund': body({ reason: '买错了套餐' }),
  'GET /v1/user/orders/{order_no}/transfer': nothing,
  'POST /v1/user/orders/{order_no}/transfer-proof': (_, it) => ({
    url: `/v1/user/orders/${it.order_no}/transfer-proof?payer=${encodeURIComponent('张三公司')}`,
    body: OCTETS,
  }),
  'GET /v1/user/recipes/{id}': nothing,
  'PATCH /v1/user/recipes/{id}': body({ name: '新名' }),
  'DELETE /v1/user/recipes/{id}': nothing,
  'POST /v1/user/recipes/{id}/copy': nothing,
  'POST /v1/user/recipes/{id}/restore': nothing,
  'GET /v1/user/recipes/{id}/text': nothing,
  'POST /v1/user/recipes/{id}/match': (own) => ({ body: { vid: Number(own.vid) } }),
  'POST /v1/user/recipes/{id}/apply': (own) => ({ body: { vid: Number(own.vid) } }),
  'POST /v1/user/recipes': (_, it) => ({ body: { vid: Number(it.vid), name: '清洗' } }),
  'DELETE /v1/user/sessions/{id}': nothing,
};

/** The same ids where a form or a query brings them beside something of one's own: what a careless join lets through. */
export const BESIDE: Record<string, Form> = {
  'a run into a foreign project': (own, it) => ({
    url: `POST ${METHOD}?vid=${own.vid}&project_id=${it.pid}`,
    body: FREQUENCY,
  }),
  'a run over a foreign report': (own, it) => ({
    url: `POST ${METHOD}?vid=${own.vid}&report_id=${it.rid}`,
    body: FREQUENCY,
  }),
  'a run on a foreign version': (_, it) => ({ url: `POST ${METHOD}?vid=${it.vid}`, body: FREQUENCY }),
  'a draft on a foreign version': (_, it) => ({ url: `POST ${METHOD}?vid=${it.vid}&draft=1`, body: FREQUENCY }),
  'a look ahead on a foreign version': (_, it) => ({
    url: `POST /algorithm/data_processing/filter?vid=${it.vid}&ahead=p1`,
    body: { condition: '{c1} > 1' },
  }),
  'a run by number': (_, it) => ({
    url: 'POST /algorithm/v2',
    body: { algo_code: 'descriptive/frequency', algo_type: 1, algo_params: { ...FREQUENCY, vid: Number(it.vid) } },
  }),
  'a filter on a foreign version': (_, it) => ({
    url: `POST /algorithm/filter?vid=${it.vid}`,
    body: { condition: 'c1 > 1', filter_type: 'keep' },
  }),
  'a new version of a foreign file': (own, it) => ({
    url: `POST /v1/user/file/uploads/${own.upload}/import`,
    body: { fid: Number(it.fid) },
  }),
  'a foreign head of an own file': (own, it) => ({
    url: `PATCH /v1/user/file/${own.fid}`,
    body: { head: Number(it.vid) },
  }),
  'steps onto a foreign version': (own, it) => ({
    url: `POST /v1/user/file/versions/${own.vid}/replay`,
    body: { onto: Number(it.vid) },
  }),
  'a saved chain matched to a foreign version': (own, it) => ({
    url: `POST /v1/user/recipes/${own.recipe}/match`,
    body: { vid: Number(it.vid) },
  }),
  'a saved chain on a foreign version': (own, it) => ({
    url: `POST /v1/user/recipes/${own.recipe}/apply`,
    body: { vid: Number(it.vid) },
  }),
  'a foreign filter in an own file': (own, it) => ({
    url: `POST /v1/user/file/${own.fid}/filters/${it.filter}`,
    body: FILTER,
  }),
  'a foreign filter removed from an own file': (own, it) => ({
    url: `DELETE /v1/user/file/${own.fid}/filters/${it.filter}`,
  }),
  'a foreign report in an own project': (own, it) => ({
    url: `GET /v1/analysis/projects/${own.pid}/reports/${it.rid}`,
  }),
  'a foreign report shared from an own project': (own, it) => ({
    url: `POST /v1/analysis/report/share?rid=${it.rid}&pid=${own.pid}`,
    body: {},
  }),
  'a foreign report in an own export': (own, it) => ({
    url: `POST /v1/analysis/projects/${own.pid}/export`,
    body: { format: 'docx', reports: [Number(it.rid)] },
  }),
  'the file of a foreign run': (_, it) => ({ url: 'POST /v1/downloads', body: { kind: 'run', id: Number(it.run) } }),
  'an invoice as a file': (_, it) => ({ url: 'POST /v1/downloads', body: { kind: 'invoice', id: Number(it.invoice) } }),
  'an education proof, again': (_, it) => ({ url: 'PUT /v1/user/edu-auth', body: { ...EDU, proof: Number(it.proof) } }),
  'a foreign picture in an own feedback': (_, it) => ({
    url: 'POST /v1/feedback',
    body: {
      type: 'idea',
      text: '希望有深色模式',
      images: [Number(it.image)],
      request_id: `r${it.image}-${it.feedback}-x`,
    },
  }),
  'a foreign file into an own enterprise': (own, it) => ({
    url: `POST /v1/enterprise/${own.eid}/copies`,
    body: { to: 'enterprise', files: [Number(it.fid)] },
  }),
  'a foreign project into an own enterprise': (own, it) => ({
    url: `POST /v1/enterprise/${own.eid}/copies`,
    body: { to: 'enterprise', projects: [Number(it.pid)] },
  }),
  'a foreign report into an own enterprise': (own, it) => ({
    url: `POST /v1/enterprise/${own.eid}/copies`,
    body: { to: 'enterprise', reports: [Number(it.rid)] },
  }),
};

/** Calls that take something and name nothing: pages of own lists, own settings, codes that are a secret themselves. */
export const NAMELESS: ReadonlySet<string> = new Set([
  ...['control-limits', 'models', 'project'].map((list) => `GET /v1/analysis/${list}`),
  ...['copies', 'transfer'].map((list) => `GET /v1/enterprise/${list}`),
  ...[
    'file',
    'file/uploads',
    'membership/grants',
    'orders',
    'orders/invoice',
    'point/record',
    'links/wechat',
    'recipes',
  ].map((at) => `GET /v1/user/${at}`),
  ...[
    'config',
    'coding-schemes',
    'edu-auth/code',
    'file/counts',
    'file/example',
    'file/uploads',
    'links/research',
    'orders',
    'recipes/import',
    'step-up',
  ].map((at) => `POST /v1/user/${at}`),
  ...['bind', 'merge', 'verify'].map((at) => `POST /v1/user/mobile/${at}`),
  'GET /v1/credits-center/account/change-detail',
  'GET /v1/mall/orders',
  // An item is the operator's, the same for everybody.
  'POST /v1/mall/purchase',
  // A season is the operator's, the same for everybody; works of it are named by their uploads (above), or by numbers that
  // count within the own team and are tried in features/contest.
  ...['register', 'teams', 'teams/join', 'teams/leave', 'teams/captain', 'teams/remove'].map(
    (at) => `POST /v1/contest/{cid}/${at}`,
  ),
  ...['uploads', 'submissions', 'appeals'].map((at) => `POST /v1/contest/{cid}/${at}`),
  ...['submissions', 'submissions/{no}/{kind}', 'own'].map((at) => `GET /v1/contest/{cid}/${at}`),
  'DELETE /v1/contest/{cid}/submissions/{no}',
  ...['checks', 'documents'].map((list) => `GET /v1/plagdet/${list}`),
  ...['checks', 'documents', 'documents/index'].map((at) => `POST /v1/plagdet/${at}`),
  'GET /v1/statistics/nps/popup',
  // By the year, of the person who asks.
  'GET /v1/year-end-report',
  'POST /v1/year-end-report/consent',
  'DELETE /v1/year-end-report',
  // Its token is a secret of whoever was shown the card; another's is tried in features/nps.
  'POST /v1/statistics/nps/answers',
  // The code of a link is a secret; whose it is not is tried in features/answer-coding.
  'GET /v1/text-analysis/second-codings/{code}',
  'PUT /v1/text-analysis/second-codings/{code}',
  'POST /v1/text-analysis/second-codings/{code}/finish',
  // Another's token is tried in features/help-chat.
  'POST /v1/ai/customer/chat/messages',
  'GET /v1/feedback',
  'POST /v1/feedback',
  'GET /v1/runs',
  'GET /v1/pro-analysis/projects',
  'POST /v1/pro-analysis/projects',
  ...['codings', 'dictionaries', 'labels-list', 'status', 'kill'].map((at) => `GET /v1/text-analysis/${at}`),
  ...['dictionaries', 'pictures', 'custom-labels/save'].map((at) => `POST /v1/text-analysis/${at}`),
  'POST /v1/enterprise',
  'POST /v1/enterprise/invite/accept',
  'POST /v1/enterprise/transfer/accept',
  'POST /v1/enterprise/transfer/refuse',
  'POST /v1/events',
  'GET /v1/coupon/vip/amount',
  // A campaign is the operator's, the same for everybody.
  'POST /v1/campaign/{id}/coupon',
  'PATCH /v1/user',
  'PUT /v1/user/edu-auth',
  'PUT /v1/user/links/academic',
  'PUT /v1/user/links/research',
  'DELETE /v1/user/links/{provider}',
]);
