/** How cells and the keys of a logged row are told to people. */
import { yuan } from '@hengxi/contracts/price';
import type { Cell, Column } from '@hengxi/server/ops/schema';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

const CHINA = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' });
/** In the time of China, in which the forms of acts are filled in and lists are exported. */
const instantText = (iso: string): string => CHINA.format(new Date(iso));

const MB = 1024 ** 2;
/** In the units of the forms. */
const sizeText = (bytes: number): string =>
  bytes >= 1024 * MB ? `${Math.round((bytes / MB / 1024) * 10) / 10} GB` : `${Math.round((bytes / MB) * 10) / 10} MB`;

export function shown(value: Cell | undefined, kind: Column['kind']): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (kind === 'fen' && typeof value === 'number') return `¥${yuan(value)}`;
  if (typeof value === 'string' && INSTANT.test(value)) return instantText(value);
  return String(value);
}

const KEYS: Record<string, string> = {
  id: '编号',
  state: '状态',
  version: '版本号',
  amount: '金额',
  total: '应付',
  price: '总价',
  couponFen: '优惠',
  refunded: '已退',
  amountFen: '应收',
  offered: '按规则应退',
  orderNo: '订单号',
  order_no: '订单号',
  order: '订单',
  refund: '退款',
  refundNo: '退款单号',
  paymentId: '付款编号',
  userId: '用户编号',
  user_id: '用户编号',
  enterpriseId: '企业编号',
  packageId: '套餐编号',
  kind: '类别',
  quantity: '数量',
  method: '支付方式',
  reason: '原因',
  why: '原因',
  answer: '答复',
  askedBy: '申请人',
  decidedBy: '审批人',
  confirmedBy: '确认人',
  approvedBy: '复核人',
  madeBy: '创建人',
  createdAt: '创建时间',
  createdBy: '创建人编号',
  endedAt: '结束时间',
  ownerKind: '所属',
  rid: '报告编号',
  rev: '报告版次',
  decidedAt: '处理时间',
  doneAt: '完成时间',
  paidAt: '付款时间',
  paid_at: '付款时间',
  closedAt: '关闭时间',
  closeReason: '关闭原因',
  expiresAt: '到期时间',
  updatedAt: '修改时间',
  banned_at: '封禁时间',
  until: '截止',
  vip_until: '会员至',
  lifetime: '长期有效',
  isMember: '是会员',
  days: '天数',
  points: '点数',
  gift: '赠送点数',
  paid: '购买点数',
  user_ai_point: 'AI 点数',
  sessions: '会话数',
  provider: '支付渠道',
  transactionId: '渠道流水号',
  outcome: '结果',
  remark: '汇款备注',
  payer: '付款方',
  proofId: '凭证编号',
  bankRef: '银行流水号',
  bank_ref: '银行流水号',
  title: '名称',
  name: '姓名',
  taxNo: '税号',
  email: '邮箱',
  number: '号码',
  issuedAt: '开具时间',
  school: '学校',
  role: '身份',
  status: '审核状态',
  validTo: '有效至',
  validFrom: '生效时间',
  chsiCode: '在线验证码',
  fee: '原价',
  discount: '立减',
  discountRate: '折后百分比',
  discountEnabled: '启用优惠',
  discountDescription: '优惠说明',
  discountFrom: '优惠开始',
  discountTo: '优惠结束',
  description: '说明',
  validVipDays: '会员天数',
  perUserLimit: '每人限购',
  perUser: '每人可用',
  limitTotal: '总张数',
  limit_total: '总张数',
  per_user: '每人可用',
  couponType: '适用',
  coupon_type: '适用',
  code: '优惠码',
  uses: '已用',
  note: '备注',
  from: '开始',
  to: '结束',
  onSale: '在售',
  on_sale: '在售',
  sort: '排序',
  text: '内容',
  startsAt: '开始',
  endsAt: '结束',
  isOn: '显示',
  url: '链接',
  position: '位置',
  label: '标注',
  summary: '摘要',
  cover: '图片',
  bodyMd: '正文',
  typ: '类别',
  edition: '版本',
  uploadBytes: '单个文件',
  storageBytes: '存储空间',
  upload_mb: '单个文件（MB）',
  storage_mb: '存储空间（MB）',
  files: '文件数',
  rows: '行数',
  analysesDay: '每日分析',
  scriptsDay: '每日脚本',
  analyses_day: '每日分析',
  scripts_day: '每日脚本',
  creditCode: '信用代码',
  contact: '联系人',
  stateBefore: '先前状态',
  seats: '席位',
  seatsUsed: '在职',
  dissolvesAt: '解散时间',
  noticed: '到期提醒次数',
  storageTold: '已提醒的存储占用（%）',
  heldAt: '冻结时间',
  heldReason: '冻结原因',
  settings: '设置',
  export_allowed: '允许导出',
  shares_allowed: '允许外部分享',
  share_days: '分享天数',
  ownerId: '所有者编号',
  papers: '核验的文件',
  gb: '存储（GB）',
  seatBytes: '每席位存储',
  memberRuns: '每成员同时运行',
  memberWaiting: '每成员排队',
  seatRuns: '每席位折算并发',
  runsMax: '全企业并发上限',
  trialDays: '试用天数',
  trialSeats: '试用席位',
  trialReview: '试用须审核',
  seat_gb: '每席位存储（GB）',
  member_runs: '每成员同时运行',
  member_waiting: '每成员排队',
  seat_runs: '每席位折算并发',
  runs_max: '全企业并发上限',
  trial_days: '试用天数',
  trial_seats: '试用席位',
  trial_review: '试用须审核',
  templateVersion: '模板版本',
  signedAt: '签署上传时间',
  archivedAt: '归档时间',
  memberMethods: '会员方法',
  ownScripts: '自定义脚本',
  questionnaires: '专家问卷',
  advancedCharts: '高级图形',
  flowModels: '流程建模',
  dashboards: '看板',
  member_methods: '会员方法',
  own_scripts: '自定义脚本',
  advanced_charts: '高级图形',
  flow_models: '流程建模',
  company_name: '公司名称',
  bank: '开户银行',
  bank_account: '银行账号',
  refund_days: '全额退款天数',
  invoice_days: '开票天数',
  agreement_version: '服务协议版本',
  topic: '主题',
  key: '去重键',
  attempts: '已尝试',
  nextAt: '下次投递',
  deadAt: '放弃时间',
  error: '错误',
  roles: '角色',
  act: '操作代码',
  target: '对象',
  payload: '内容',
  filters: '筛选',
  opened: '已打开的渠道',
  balance: '余额',
  credits: '积分',
  bonus: '积分',
  event: '事件',
  counts: '怎么计数',
  window: '窗口期（天）',
  perYear: '每年最多',
  audience: '面向',
  actionUrl: '去完成的页面',
  campaignId: '活动编号',
  questId: '任务编号',
  periodKey: '期',
  periodEnd: '本期结束',
  progress: '进度',
  shortfall: '未能收回',
  completedAt: '完成时间',
  acceptedAt: '领取时间',
  autoCreditAt: '自动到账时间',
  entryId: '积分流水编号',
  grantKind: '得到',
  grantValue: '数值',
  validDays: '有效天数',
  priceCredits: '积分价格',
  stockTotal: '总库存',
  stockLeft: '剩余库存',
  limitPeriod: '限兑周期',
  onAt: '上架时间',
  offAt: '下架时间',
  itemId: '商品编号',
  requestId: '请求编号',
  granted: '得到',
  codes: '优惠码',
  value: '数值',
  returnedCredits: '退回积分',
  returnedAt: '退回时间',
  refundEntryId: '退回流水编号',
  reply: '答复',
  recordId: '奖励编号',
  supersededBy: '取代它的订单',
  agreementVersion: '协议版本',
};

/** Kept in fen and in bytes; told in yuan and as sizes. */
const FEN = new Set(['amount', 'total', 'price', 'couponFen', 'refunded', 'amountFen', 'offered', 'fee', 'discount']);
const BYTES = new Set(['uploadBytes', 'storageBytes', 'seatBytes']);
/** What stands for something else under this key than under others, and numbers that stand for something. */
const NAMED: Record<string, Record<string, string>> = {
  kind: { asked: '用户申请', duplicate: '重复付款', anomaly: '异常付款' },
  ownerKind: { user: '个人', enterprise: '企业' },
  method: { 1: '任一应用', 2: '微信', 3: '支付宝', 4: '对公转账' },
  state: { 0: '进行中', 1: '可领取', 2: '已领取', 3: '审核中', 4: '已作废' },
  counts: { subject: '不同的对象，一天一次', method: '不同的方法', day: '不同的日子' },
  audience: { all: '所有人', standard: '标准版', member: '会员' },
  limitPeriod: { day: '每天', week: '每周', month: '每月', year: '每年', ever: '总共' },
  couponType: { 0: '会员和教育', 1: '会员', 3: '教育' },
};

/** States and kinds as the tables keep them. */
const VALUES: Record<string, string> = {
  created: '待支付',
  paid: '已支付',
  closed: '已关闭',
  refunded: '已退款',
  asked: '申请中',
  agreed: '已同意',
  refused: '已驳回',
  refunding: '退款中',
  failed: '失败',
  applied: '已入账',
  duplicate: '重复付款',
  anomaly: '异常',
  waiting: '等待中',
  proof: '已上传凭证',
  checking: '核对中',
  confirmed: '已确认',
  returned: '已退回',
  pending: '待开具',
  issued: '已开具',
  voided: '已红冲',
  on: '可用',
  stopped: '已停用',
  active: '有效',
  trial: '试用',
  grace: '到期宽限',
  readonly: '只读',
  frozen: '冻结',
  dissolving: '解散中',
  draft: '草拟',
  signed: '已签',
  archived: '已归档',
  vip: '会员',
  edu: '教育',
  combo: '组合',
  point: 'AI 点数',
  seat: '企业席位',
  wechat: '微信',
  alipay: '支付宝',
  sandbox: '沙箱',
  bank: '银行',
  person: '个人',
  company: '企业',
  email: '学校邮箱',
  chsi: '学信网',
  document: '证件',
  student: '学生',
  teacher: '教师',
  standard: '标准版',
  member: '会员',
  enterprise: '企业版',
  cancelled: '已取消',
  done: '已完成',
  analysis: '分析',
  import: '导入',
  replay: '重做步骤',
  coding: '文本编码',
  step: '数据处理',
  export: '导出',
  report_export: '导出报告',
  once: '一次',
  daily: '每日',
  weekly: '每周',
  streak: '窗口期内天数',
  count: '累计',
  phone_bound: '绑定手机号',
  file_imported: '上传数据',
  analysis_succeeded: '完成分析',
  report_exported: '导出报告',
  feedback_adopted: '反馈被采纳',
  invite_qualified: '邀请好友',
  vip_days: '会员天数',
  ai_points: 'AI 点数',
  algorithm: '方法解锁',
  coupon: '优惠码',
  open: '待处理',
  granted: '已通过',
  off: '已停用',
};

export interface Difference {
  key: string;
  before: string;
  after: string;
  isChanged: boolean;
}

const flat = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

function words(value: unknown, key = ''): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? '是' : '否';
  const named = typeof value === 'number' || typeof value === 'string' ? NAMED[camel(key)]?.[value] : undefined;
  if (named !== undefined) return named;
  if (typeof value === 'string') return INSTANT.test(value) ? instantText(value) : (VALUES[value] ?? value);
  if (Array.isArray(value)) return value.map((one) => words(one)).join('、');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([inner, one]) => `${titleOf(inner)}：${words(one, inner)}`)
      .join('；');
  if (typeof value !== 'number') return '—';
  if (FEN.has(key) || FEN.has(camel(key))) return `¥${yuan(value)}`;
  return BYTES.has(camel(key)) ? sizeText(value) : String(value);
}

/** Rows of tables and what a form sends name the same thing in two spellings. */
const joined = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(flat(value)).map(([key, one]) => [snake(key), one]));
const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
const camel = (key: string): string => key.replaceAll(/_([a-z])/g, (_, sign: string) => sign.toUpperCase());
/** The target of an act is a number in text; that of a quest is how often something is to be done. */
const titleFor = (key: string, value: unknown): string =>
  key === 'target' && typeof value === 'number' ? '目标' : titleOf(key);
const titleOf = (key: string): string => KEYS[key] ?? KEYS[camel(key)] ?? key;

/** A row before and after an act, key by key; what changed stands first. */
export function differences(detail: unknown): Difference[] {
  const { before, after } = flat(detail);
  const [old, now] = [joined(before), joined(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((key) => {
      const [was, is] = [words(old[key], key), words(now[key], key)];
      return {
        key: titleFor(key, now[key] ?? old[key]),
        before: was,
        after: key in now ? is : '',
        isChanged: key in now && was !== is,
      };
    })
    .toSorted((a, b) => Number(b.isChanged) - Number(a.isChanged));
}
