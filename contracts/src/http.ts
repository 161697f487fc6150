/** The envelope of every JSON answer, paging, and every error number of the product with its text: stated here and nowhere else. */

export interface Success<T> {
  status_code: 1;
  data: T;
}

export interface Failure {
  status_code: 0;
  err_code: number;
  msg: string;
  /** 422 only: one entry per field that does not fit the method. */
  fields?: FieldFault[];
  /** What the code itself promises, e.g. `{reason, until}` of 20023. */
  data?: unknown;
}

export type Envelope<T> = Success<T> | Failure;

/** What a remedy offers: a setting to change in place, another method, or a data step. */
export interface Remedy {
  title: string;
  set?: Record<string, unknown>;
  method?: string;
  carry?: string[];
  step?: string;
  columns?: string[];
}

/** One fault of a form, worded by the engine (see contract: Refusal). */
export interface FieldFault {
  field: string | null;
  code: string;
  text: string;
  facts?: Record<string, unknown>;
  column?: string | null;
  row?: number | null;
  remedies?: Remedy[];
}

/** Lists are always counted; `page` starts at 1 and 0 means 1. */
export interface Page<T> {
  total: number;
  list: T[];
}

export const PAGE_SIZE_MAX = 200;

export interface ErrorEntry {
  /** HTTP status; a refused business rule is 200 with `status_code` 0. */
  status: number;
  /** Chinese text; `{name}` is filled from the facts given by whoever raises it. */
  text: string;
}

/** Numbers of the specification keep their meaning; ours start at 30000 and are never reused. */
export const ERRORS = {
  20002: { status: 200, text: '当前版本不支持该操作，升级后可用' },
  20010: { status: 200, text: '请输入正确的手机号' },
  20011: { status: 200, text: '验证码发送过于频繁，请稍后再试' },
  20012: { status: 200, text: '验证码已过期，请重新获取' },
  20013: { status: 200, text: '验证码错误' },
  20021: { status: 401, text: '当前账号已在其他地方，请重新登录' },
  20023: { status: 200, text: '账号已被封禁' },

  30001: { status: 429, text: '请求过于频繁，请 {s} 秒后再试' },
  30002: { status: 403, text: '操作需要短信验证' },
  30003: { status: 200, text: '登录链接已失效，请重新登录' },
  30004: { status: 404, text: '分享不存在或已结束' },
  30005: { status: 404, text: '下载链接已失效' },
  30011: { status: 409, text: '请求编号重复且内容不同' },
  30012: { status: 409, text: '上一次请求仍在处理中' },
  30021: { status: 503, text: '排队人数较多，前面还有 {n} 个任务' },
  30022: { status: 503, text: '服务器存储空间不足，请稍后再试' },
  30031: { status: 422, text: '文件类型与内容不符：扩展名为 {a}，内容为 {b}' },
  30032: { status: 422, text: '文件解压后过大，已拒绝' },
  30033: { status: 422, text: '文件已加密，请输入打开密码' },
  30034: { status: 422, text: '文件内容异常，解析已终止' },
  30035: { status: 413, text: '存储空间已用完（{used}/{quota}）' },
  30036: { status: 422, text: '工作表“{s}”的使用区域达到 {r} 行 × {c} 列，请删除空白区域后重试' },

  30090: { status: 400, text: '请求格式有误：{detail}' },
  30091: { status: 401, text: '请先登录' },
  30092: { status: 403, text: '当前账号没有权限进行此操作' },
  30093: { status: 404, text: '未找到该资源' },
  30094: { status: 500, text: '服务器端出错（编号 {err_id}）' },
  30095: { status: 503, text: '分析服务暂不可用，请稍后再试' },
  30096: { status: 405, text: '请求方法未允许' },
  30097: { status: 413, text: '请求内容过大' },

  30203: { status: 200, text: '滑块验证未通过，请重试' },

  30501: { status: 409, text: '上传位置不符，应从第 {offset} 字节继续' },
  30502: { status: 422, text: '文件校验和不符，请重新上传' },
  30503: { status: 413, text: '文件大小 {size} 超过当前版本上限 {limit}' },
  30504: {
    status: 422,
    text: '不支持 {ext} 文件。现在可以上传 csv、txt、xlsx、xls、ods、sav、dta、SAS、parquet、json 等文件',
  },
  30505: { status: 409, text: '文件尚未传完，还差 {left} 字节' },
  30506: { status: 422, text: '文件是空的（0 字节），没有可导入的数据' },
  30507: { status: 429, text: '同时上传的文件过多（最多 {n} 个），请等前面的传完' },
  30508: { status: 422, text: '{text}' },
  30509: { status: 409, text: '该数据正在被使用，请稍后再试' },

  30601: { status: 422, text: '{text}' },
  30602: { status: 409, text: '该任务已经结束' },
  30603: { status: 409, text: '已冻结的结果不能更新，请先解除冻结' },
  30604: { status: 429, text: '排队中的任务已达 {n} 个，请等前面的完成或取消' },
  30605: { status: 409, text: '报告尚未完成，不能分享' },
} as const satisfies Record<number, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The Chinese text of a code with its facts filled in; facts that are missing leave nothing behind. */
export function errorText(code: ErrorCode, facts: Record<string, string | number> = {}): string {
  return ERRORS[code].text.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ''));
}

/** What the browser shows for an HTTP status that came without a message of ours (specification section 8). */
export const HTTP_TEXT: Record<number, string> = {
  400: '错误请求',
  401: '未授权，请重新登录',
  403: '拒绝访问',
  404: '未找到该资源',
  405: '请求方法未允许',
  408: '请求超时',
  500: '服务器端出错',
  501: '网络未实现',
  502: '网络错误',
  503: '服务不可用',
  504: '网络超时',
  505: 'http版本不支持该请求',
};
export const HTTP_TEXT_DEFAULT = '连接到服务器失败';
export const TIMEOUT_TEXT = '请求超时，请检查网络后重试';
