/** The envelope of every JSON answer, paging, and every error number of the product with its text: stated here and nowhere else. */

export interface Success<T> {
  status_code: 1;
  data: T;
}

export interface Failure {
  status_code: 0;
  err_code: number;
  msg: string;
  /** The other spelling that clients read (specification section 8); this server always gives `msg`. */
  err_msg?: string;
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

  30001: { status: 429, text: '请求过于频繁，请 {wait}后再试' },
  30002: { status: 403, text: '操作需要短信验证' },
  30003: { status: 200, text: '登录链接已失效，请重新登录' },
  30004: { status: 404, text: '分享不存在或已结束' },
  30005: { status: 404, text: '下载链接已失效' },
  30006: { status: 200, text: '{name}登录暂不可用，请稍后再试或改用其他方式登录' },
  30007: { status: 200, text: '无法确认{name}的登录信息，请重新登录' },
  30008: { status: 200, text: '该账号已申请注销，{until}前可以恢复' },
  30009: { status: 200, text: '短信发送失败，请稍后再试' },
  30011: { status: 409, text: '请求编号重复且内容不同' },
  30012: { status: 409, text: '上一次请求仍在处理中' },
  30013: { status: 409, text: '上一次请求已处理，请刷新查看结果' },
  30021: { status: 503, text: '排队人数较多，前面还有 {n} 个任务' },
  30022: { status: 503, text: '服务器存储空间不足，请稍后再试' },
  30031: { status: 422, text: '文件类型与内容不符：扩展名为 {a}，内容为 {b}' },
  30032: { status: 422, text: '文件解压后过大，已拒绝' },
  30033: { status: 422, text: '文件已加密，请输入打开密码' },
  30034: { status: 422, text: '文件内容异常，解析已终止' },
  30035: { status: 413, text: '存储空间已用完（{used}/{quota}）' },
  30036: { status: 422, text: '工作表“{s}”的使用区域达到 {r} 行 × {c} 列，请删除空白区域后重试' },

  30089: { status: 401, text: '登录已过期，请重新登录' },
  30090: { status: 400, text: '请求格式有误：{detail}' },
  30091: { status: 401, text: '请先登录' },
  30092: { status: 403, text: '当前账号没有权限进行此操作' },
  30093: { status: 404, text: '未找到该资源' },
  30094: { status: 500, text: '服务器端出错（编号 {err_id}）' },
  30095: { status: 503, text: '分析服务暂不可用，请稍后再试' },
  30096: { status: 405, text: '请求方法未允许' },
  30097: { status: 413, text: '请求内容过大' },
  30098: { status: 503, text: '系统繁忙，请稍后再试' },

  30101: { status: 200, text: '点数不足' },
  30102: { status: 200, text: 'AI服务繁忙，请稍后再试' },
  30103: { status: 200, text: '该报告没有可解读的结果' },
  30106: { status: 200, text: '请先同意发送所列内容，再开始AI解读' },
  30107: { status: 200, text: '今天的提问次数已用完，可转人工' },
  30108: { status: 200, text: '对话已过期，请重新打开' },

  30171: { status: 200, text: '还没有可比对的文档，请先建立文库' },
  30172: { status: 200, text: '今日免费次数已用完（每天 {n} 次），可用 {price} 点继续' },
  30173: { status: 413, text: '文件超过 20 MB，请压缩图片或另存为纯文本后再上传' },
  30174: { status: 200, text: '文库最多 {n} 篇，请先删除一些' },
  30175: { status: 200, text: '请先同意把文档加入文库' },
  30176: { status: 409, text: '查重还没有完成' },
  30177: { status: 422, text: '文件是空的（0 字节），请检查后重新上传' },
  30178: { status: 200, text: '今日查重次数已用完（每天 {n} 次），请明天再试' },

  30201: { status: 403, text: '请切换到个人版后操作' },
  30202: { status: 200, text: '请先绑定手机号' },
  30203: { status: 200, text: '滑块验证未通过，请重试' },
  30204: { status: 200, text: '您已是长期会员，无需续费' },
  30205: { status: 200, text: '该套餐已下架，请重新选择' },
  30206: { status: 200, text: '通过教育认证后可购买教育套餐' },
  30207: { status: 200, text: '该套餐每人限购{n}次' },
  30208: { status: 422, text: '购买数量须为1到99的整数' },
  30209: { status: 422, text: '长期会员只需购买一次，数量为1' },
  30211: { status: 200, text: '优惠码不存在或已失效' },
  30212: { status: 200, text: '优惠码不适用于该套餐' },
  30213: { status: 200, text: '您已使用过该优惠码' },
  30221: { status: 200, text: '订单已支付' },
  30222: { status: 200, text: '订单已关闭' },
  30223: { status: 200, text: '支付通道繁忙，请稍后刷新' },
  30231: { status: 200, text: '已超过开票期限（购买后30天）' },
  30232: { status: 200, text: '该订单已申请发票' },
  30233: { status: 200, text: '该订单不能开票（金额为0或已退款）' },
  30234: { status: 200, text: '发票已开具，不能修改' },
  30241: { status: 200, text: '不能退款：{reason}' },
  30242: { status: 200, text: '已上传转账凭证，请等待核对' },
  30251: { status: 200, text: '手机号属于另一个账号“{n}”' },
  30252: { status: 200, text: '两个账号都有数据，请联系客服合并' },
  30253: { status: 200, text: '这个{name}账号已经是账号“{n}”的登录方式' },
  30254: { status: 200, text: '这是唯一的登录方式，请先绑定手机号或其他方式' },
  30255: { status: 200, text: '已绑定另一个{name}账号，请先解除绑定' },
  30261: { status: 200, text: '教育认证审核中' },
  30262: { status: 200, text: '学校邮箱域名不在名单内' },
  30263: { status: 422, text: '请上传 JPG、PNG 图片或 PDF，10 MB 以内' },

  30301: { status: 200, text: '席位已用完（{used}/{seats}），请增加席位或移除成员' },
  30302: { status: 200, text: '邀请已失效，请联系企业管理员' },
  30303: { status: 200, text: '您已是该企业成员' },
  30304: { status: 200, text: '企业所有者不能直接退出，请先转让' },
  30305: { status: 403, text: '没有权限执行该操作，需要{role}' },
  30306: { status: 403, text: '企业已到期，当前为只读状态' },
  30307: { status: 403, text: '企业已冻结，请联系所有者续费' },
  30308: { status: 200, text: '转让已失效或已被取消' },
  30309: { status: 409, text: '信息已被他人修改，请刷新后重试' },
  30310: { status: 403, text: '该企业不允许导出到个人空间' },
  30311: { status: 200, text: '该统一社会信用代码已申请过试用' },
  30312: { status: 200, text: '最多可加入5个企业' },
  30313: { status: 403, text: '该企业不允许对外分享' },
  30315: { status: 403, text: '今日分析次数已达企业设定的上限（每天{n}次），请联系企业管理员' },
  30316: { status: 403, text: '您的存储空间已达企业设定的上限（已用{used}，上限{limit}），请清理数据或联系企业管理员' },
  30317: { status: 200, text: '没有可复制的内容，请先选择一份数据' },
  30318: { status: 403, text: '该企业不允许导出数据，请联系企业管理员' },
  30314: { status: 200, text: '席位少于成员，请所有者选择停用的成员' },
  30321: { status: 200, text: '到账金额与订单不一致（应收{a}元，实收{b}元）' },
  30322: { status: 200, text: '该银行流水号已使用' },

  30402: { status: 200, text: '不能审批自己提交的申请' },
  30403: { status: 409, text: '目标已变化，申请失效' },
  30404: { status: 403, text: '操作员会话已过期，请重新验证' },
  30405: { status: 200, text: '请填写不少于5个字的原因' },
  30406: { status: 403, text: '不能操作本人账号' },
  30408: { status: 200, text: '{detail}' },

  30501: { status: 409, text: '上传位置不符，应从第 {offset} 字节继续' },
  30502: { status: 422, text: '文件校验和不符，请重新上传' },
  30503: { status: 413, text: '文件大小 {size} 超过当前版本上限 {limit}' },
  30504: {
    status: 422,
    text: '不支持 {ext} 文件。现在可以上传 csv、txt、xlsx、xls、ods、sav、dta、SAS、parquet、json 等文件',
  },
  30505: { status: 409, text: '文件还没有传完，还差 {left} 字节' },
  30506: { status: 422, text: '文件是空的（0 字节），没有可导入的数据' },
  30507: { status: 429, text: '同时上传的文件过多（最多 {n} 个），请等前面的传完' },
  30508: { status: 422, text: '{text}' },
  30509: { status: 409, text: '该数据正在被使用，请稍后再试' },
  30510: { status: 409, text: '数据已锁定，请先在数据页的状态栏解除锁定' },
  30511: { status: 409, text: '已有新版本 v{n}“{title}”，这次修改没有保存' },

  30601: { status: 422, text: '{text}' },
  30602: { status: 409, text: '该任务已经结束' },
  30603: { status: 409, text: '已冻结的结果不能更新，请先解除冻结' },
  30604: { status: 429, text: '排队中的任务已达 {n} 个，请等前面的完成或取消' },
  30605: { status: 409, text: '报告还没有完成，不能分享' },

  31001: { status: 200, text: '积分不足，还差 {n}' },
  31002: { status: 200, text: '任务还没有完成' },
  31003: { status: 200, text: '该奖励正在审核：{reason}' },
  31004: { status: 200, text: '请先绑定手机号' },
  31005: { status: 200, text: '账户暂停使用积分：{reason}' },
  31006: { status: 200, text: '今日已领取 {n} 积分，每日最多领取 {most} 积分，请明天再领取' },
  31007: { status: 200, text: '该奖励已作废：{reason}' },
  31101: { status: 200, text: '商品已下架' },
  31102: { status: 200, text: '已兑完' },
  31103: { status: 200, text: '每人限兑 {n} 件' },
  31104: { status: 200, text: '价格已更新为 {n} 积分，请确认后再兑换' },
  // 31105 and 31106 belong to goods that are sent.
  31107: { status: 200, text: '该方法无需解锁' },
  31108: { status: 200, text: '已过退回期限' },
  31109: { status: 200, text: '不能退回：{reason}' },

  31201: { status: 200, text: '活动未开始或已结束' },
  31202: { status: 200, text: '名额已领完' },
  31203: { status: 200, text: '不能邀请自己' },
  31204: { status: 200, text: '已领取' },

  31301: { status: 200, text: '报名尚未开始，{at}（北京时间）开始' },
  31302: { status: 200, text: '报名已截止' },
  31303: { status: 200, text: '您已在另一支队伍' },
  31304: { status: 200, text: '队伍已满' },
  31305: { status: 200, text: '提交已于 {at}（北京时间）截止' },
  31306: { status: 200, text: '今日提交次数已用完（每天 {n} 次）' },
  31307: { status: 422, text: '文件校验失败，请重新上传' },
  31308: { status: 200, text: '赛题将于 {at}（北京时间）发布' },
  31309: { status: 409, text: '评分已锁定' },
  31310: { status: 404, text: '未找到该证书' },
  31311: { status: 403, text: '请使用个人版参赛' },
  31312: { status: 200, text: '请先报名' },
  31313: { status: 200, text: '队名“{name}”已被使用' },
  31314: { status: 200, text: '邀请码无效，请向队长核对' },
  31315: { status: 422, text: '{detail}' },
  31316: { status: 200, text: '提交次数已用完（共 {n} 次）' },
  31317: { status: 200, text: '评委不能参赛' },
  31318: { status: 409, text: '{detail}' },
  31319: { status: 200, text: '申诉已于 {at}（北京时间）截止' },
  31320: { status: 200, text: '已有一份申诉等待答复' },
  31321: { status: 403, text: '只有队长可以这样做' },
  31322: { status: 413, text: '{kind}最大 {limit}，这份文件是 {size}' },
  31323: { status: 200, text: '请先加入或创建队伍' },

  31401: { status: 200, text: '年终报告尚未开放' },

  31501: { status: 200, text: '问卷已失效' },
  31502: { status: 200, text: '分数须为 0 至 10 的整数' },

  31511: { status: 200, text: '内容至少 5 个字' },
  31512: { status: 200, text: '图片仅支持 PNG、JPG，5 MB 以内' },
  31513: { status: 200, text: '今日提交次数已达上限' },
  31514: { status: 200, text: '蒙版图片须为不超过 2 MB 的 PNG 或 JPG' },

  31521: { status: 200, text: '今天已提交 3 次，请明天再试，或直接发邮件' },
  31522: { status: 200, text: '手机和邮箱至少填一项' },

  32101: { status: 404, text: '链接无效或已失效，请联系组织者' },
  32102: { status: 409, text: '本轮尚未开始，请等组织者通知' },
  32103: { status: 409, text: '本轮已于{at}截止，您已保存的答案不会丢失' },
  32104: { status: 409, text: '您已退出本研究' },
  32105: { status: 409, text: '名额已满，请联系组织者' },
  32106: { status: 422, text: '{text}' },
  32107: { status: 409, text: '{text}' },
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
