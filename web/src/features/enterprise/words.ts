/** Chinese words of states and roles. */
import { yuan } from '@hengxi/contracts/price';
import type { EnterpriseState, Invite, MemberState, Role } from '@hengxi/server/enterprise/schema';
import type { Package } from '@hengxi/server/membership/schema';

/** 企业席位（年） ¥599.00 / 席位 · 365 天 */
export const packWords = ({ title, price, valid_vip_days: days }: Package): string =>
  `${title}　¥${yuan(price)} / 席位${days ? ` · ${days} 天` : ''}`;

export const STATES: Record<EnterpriseState, string> = {
  pending: '待开通',
  trial: '试用',
  active: '正式',
  grace: '到期宽限',
  readonly: '只读',
  frozen: '冻结',
  dissolving: '解散中',
  deleted: '已删除',
};

export const ROLES: Record<Role, string> = { owner: '所有者', admin: '管理员', member: '成员' };
export const MEMBER_STATES: Record<MemberState, string> = { active: '在职', suspended: '已停用', left: '已离开' };
export const INVITES: Record<Invite['state'], string> = {
  open: '有效',
  used: '已用完',
  expired: '已过期',
  withdrawn: '已撤回',
};
