/** Choosing among the accounts of one person: personal, or one of the enterprises. */
import { BankOutlined, UserOutlined } from '@ant-design/icons';
import { Button, Radio } from 'antd';
import { type ReactNode, useState } from 'react';

import { Dialog } from './dialog.tsx';
import styles from './account-choice.module.css';

export interface Account {
  platform: string;
  name: string;
  note: string;
  token: string | null;
}

export interface AccountChoiceProps {
  title: string;
  lead: string;
  accounts: readonly Account[];
  /** Platform that is used now; chosen at first. */
  current?: string | null;
  working?: boolean;
  onChoose: (account: Account) => void;
  onCancel: () => void;
}

export function AccountChoice(props: AccountChoiceProps) {
  const { title, lead, accounts, current = null, working = false, onChoose, onCancel } = props;
  const [platform, setPlatform] = useState(current ?? accounts[0]?.platform ?? '');
  const chosen = accounts.find((account) => account.platform === platform);
  const isSame = platform === current;
  return (
    <Dialog
      open
      title={title}
      width="choose"
      outsideCloses={false}
      onClose={onCancel}
      footer={
        <>
          <Button onClick={onCancel}>取消</Button>
          <Button
            type="primary"
            loading={working}
            disabled={!chosen}
            onClick={() => (isSame || !chosen ? onCancel() : onChoose(chosen))}
          >
            确定
          </Button>
        </>
      }
    >
      <p className={styles['lead']}>{lead}</p>
      <Radio.Group
        className={styles['list']}
        aria-label={title}
        value={platform}
        onChange={(event) => setPlatform(String(event.target.value))}
      >
        {accounts.map((account) => (
          <Radio key={account.platform} value={account.platform} className={styles['item']}>
            <Item icon={account.platform === 'pri' ? <UserOutlined /> : <BankOutlined />} account={account} />
          </Radio>
        ))}
      </Radio.Group>
    </Dialog>
  );
}

function Item({ icon, account }: { icon: ReactNode; account: Account }) {
  return (
    <span className={styles['account']}>
      <span className={styles['icon']} aria-hidden="true">
        {icon}
      </span>
      <span>
        <b>{account.name}</b>
        <span className={styles['note']}>{account.note}</span>
      </span>
    </span>
  );
}

/** The accounts of a sign-in or of a switch; tokens that are absent belong to the account in use. */
export function accountsOf(offered: {
  personal: { name: string; token: string | null } | null;
  companies: readonly { platform: string; enterprise_name: string; token: string | null }[];
}): Account[] {
  const { personal, companies } = offered;
  return [
    ...(personal ? [{ platform: 'pri', name: personal.name, note: '个人版', token: personal.token }] : []),
    ...companies.map((company) => ({
      platform: company.platform,
      name: company.enterprise_name,
      note: '企业版',
      token: company.token,
    })),
  ];
}
