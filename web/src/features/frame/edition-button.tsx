/** 升级会员 or 我的权益, for whoever is no enterprise member. */
import { CrownOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import styles from './header.module.css';

export function EditionButton() {
  const me = useMe();
  const navigate = useNavigate();
  if (!me || me.identity === 2) return null;
  return (
    <Button
      type="text"
      className={styles['edition'] ?? ''}
      icon={<CrownOutlined aria-hidden />}
      onClick={() => (me.identity === 3 ? void navigate('/member?tab=membership') : prompts.openPurchase())}
    >
      {me.identity === 3 ? '我的权益' : '升级会员'}
    </Button>
  );
}
