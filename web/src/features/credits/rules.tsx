/** 积分规则, in full sentences; the same for visitors and for who is signed in. */
import { Button } from 'antd';

import { Dialog } from '../../ui/dialog.tsx';
import styles from './credits.module.css';

const RULES = [
  '积分来自任务和活动：绑定手机号、导入自己的数据、完成分析、有用的反馈。绑定手机号后才能领取，一个手机号只算一个账号。',
  '不限次数的任务每天最多得 60 积分；失败的运行不计，示例数据只计入一次性任务。',
  '任务完成后可以领取；没有领取的，在这一期结束 7 天后自动到账，不会作废。',
  '积分从获得起 24 个月内有效，到第 24 个月的最后一天为止，先用最早到期的；到期前 60、30、7 天各通知一次。规则变更不会缩短已有积分的有效期。',
  '兑换来的东西 24 小时内没有使用可以自行退回，积分回到原来的有效期；会员天数的退回由客服处理。',
  '短时间内异常集中的账号或奖励会转入审核，页面上写明原因，可以申诉。',
  '积分不出售、不转让、不能提现，不能抵扣订单金额。企业版不参与积分活动。',
];

export function Rules() {
  return (
    <ul className={styles['rules']}>
      {RULES.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}

export function RulesDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="积分规则" width="choose" onClose={onClose} footer={<Button onClick={onClose}>知道了</Button>}>
      <Rules />
    </Dialog>
  );
}
