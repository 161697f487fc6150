/** What a membership brings; the same list in the dialog and on the package page. */
import { CheckOutlined } from '@ant-design/icons';
import { Link } from 'react-router';

import styles from './purchase.module.css';

const BENEFITS = [
  '高级方法与模型全开放',
  '不限行数与分析次数',
  'PRO 绘图与科研配色',
  '自定义脚本与本地编程',
  'AHP 问卷发布与回收',
  '7×12 小时人工支持',
  '电子发票与采购合同',
];

export function Benefits({ onLeave }: { onLeave?: () => void }) {
  return (
    <section className={styles['benefits']} aria-label="会员权益">
      <h3 className={styles['quiet']}>会员权益</h3>
      <ul>
        {BENEFITS.map((text) => (
          <li key={text}>
            <CheckOutlined aria-hidden />
            {text}
          </li>
        ))}
      </ul>
      <Link to="/enterprise-compare" {...(onLeave ? { onClick: onLeave } : {})}>
        各版本完整对比
      </Link>
    </section>
  );
}
