/** /enterprise: what it is and the trial for visitors, one's enterprises as cards for members. */
import { yuan } from '@hengxi/contracts/price';
import type { EnterpriseCard } from '@hengxi/server/enterprise/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';

import { ApiError } from '../../lib/api.ts';
import { formatDay, formatInstant } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useSession } from '../../lib/session.ts';
import { withStepUp } from '../../lib/step-up.ts';
import { toast } from '../../lib/toast.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './enterprise.module.css';
import { PagedTable } from './parts.tsx';
import { copiesQuery, make, mineQuery, packagesQuery, saveContract } from './queries.ts';
import { ROLES, STATES } from './words.ts';

const POINTS: readonly [title: string, text: string][] = [
  ['数据归企业', '成员离开时，数据、报告和分享一起交给指定的同事，个人空间不受影响。'],
  ['按席位付费', '席位随时增加，按剩余天数计价；成员进出不影响已有数据。'],
  ['权限与记录', '所有者、管理员、成员三种角色；重要操作都留在可导出的日志里。'],
];

export function EnterprisePage() {
  const isSignedIn = useSession((state) => state.token !== null);
  const isAtWork = useMe()?.identity === 2;
  return (
    <div className={styles['page']}>
      <PageTitle title="企业版" aside="团队共用的统计分析空间" />
      {isSignedIn ? <Mine /> : null}
      <ul className={styles['cards']} style={{ marginTop: 24 }}>
        {POINTS.map(([title, text]) => (
          <li key={title} className={styles['card']}>
            <b>{title}</b>
            <span className={styles['quiet']}>{text}</span>
          </li>
        ))}
      </ul>
      <div className={styles['acts']} style={{ marginTop: 16 }}>
        <Link to="/enterprise-compare">各版本对比</Link>
        <Button type="link" onClick={() => void saveContract()}>
          下载合同模板
        </Button>
      </div>
      <Prices />
      {isSignedIn ? <Copies /> : null}
      <section className={styles['section']} style={{ marginTop: 32 }} aria-labelledby="enterprise-new">
        <h2 id="enterprise-new">申请试用或创建企业</h2>
        {isAtWork ? (
          <p className={styles['quiet']}>
            企业由个人账号创建。要再创建一个，请先在<Link to="/member?tab=account">个人中心</Link>切换到个人版。
          </p>
        ) : isSignedIn ? (
          <NewForm />
        ) : (
          <div className={styles['failed']}>
            <p className={styles['quiet']}>试用 14 天、5 个席位，每个统一社会信用代码一次。</p>
            <Button type="primary" onClick={() => prompts.openLogin('enterprise')}>
              登录后申请
            </Button>
          </div>
        )}
      </section>
    </div>
  );
}

/** What a seat costs; nothing where none is on sale. */
function Prices() {
  const { data } = useQuery(packagesQuery);
  if (!data || data.list.length === 0) return null;
  return (
    <section className={styles['section']} style={{ marginTop: 32 }} aria-labelledby="enterprise-prices">
      <h2 id="enterprise-prices">席位价格</h2>
      <ul className={styles['cards']}>
        {data.list.map((enterprise) => (
          <li key={enterprise.id} className={styles['card']}>
            <b>{enterprise.title}</b>
            <span className={styles['figure']}>¥{yuan(enterprise.price)}</span>
            <span className={styles['quiet']}>
              每个席位{enterprise.valid_vip_days ? ` · ${enterprise.valid_vip_days} 天` : ''}，3 个席位起
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the person has copied between the own space and enterprises; the person's end of their logs. */
function Copies() {
  const [page, setPage] = useState(1);
  const copies = useQuery(copiesQuery(page));
  if (!copies.data || copies.data.total === 0) return null;
  return (
    <section className={styles['section']} style={{ marginTop: 32 }} aria-labelledby="enterprise-copies">
      <h2 id="enterprise-copies">复制记录</h2>
      <PagedTable
        label="复制记录"
        query={copies}
        page={page}
        onPage={setPage}
        keyOf={(row) => row.id}
        empty=""
        columns={[
          { title: '时间', render: (row) => formatInstant(row.at) },
          {
            title: '方向',
            render: (row) =>
              row.to === 'enterprise' ? `个人空间 → ${row.enterprise_name}` : `${row.enterprise_name} → 个人空间`,
          },
          { title: '内容', render: (row) => [...row.projects, ...row.files].join('、') },
          { title: '报告', number: true, render: (row) => row.reports },
        ]}
      />
    </section>
  );
}

function Mine() {
  const mine = useQuery(mineQuery);
  const [params] = useSearchParams();
  return (
    <Loaded query={mine}>
      {({ list }) => {
        const [only] = list;
        // Who manages exactly one came for that one; ?all=1 is the way back here.
        if (only && list.length === 1 && only.role !== 'member' && !params.has('all'))
          return <Navigate replace to={`/enterprise/${only.id}`} />;
        if (list.length === 0) return null;
        return (
          <section className={styles['section']} style={{ marginTop: 24 }} aria-labelledby="enterprise-mine">
            <h2 id="enterprise-mine">我的企业</h2>
            <ul className={styles['cards']}>
              {list.map((card) => (
                <Card key={card.id} card={card} />
              ))}
            </ul>
          </section>
        );
      }}
    </Loaded>
  );
}

function Card({ card }: { card: EnterpriseCard }) {
  return (
    <li className={styles['card']}>
      <b>{card.name}</b>
      <span className={styles['quiet']}>
        {ROLES[card.role]}　{STATES[card.state]}
        {card.ends_at ? `　至 ${formatDay(card.ends_at)}` : ''}
      </span>
      <span className={styles['quiet']}>
        席位 {card.seats_used}/{card.seats}
      </span>
      <Link to={`/enterprise/${card.id}`}>{card.role === 'member' ? '查看' : '管理'}</Link>
    </li>
  );
}

function NewForm() {
  const id = useId();
  const navigate = useNavigate();
  const [values, setValues] = useState({ name: '', credit_code: '', contact: '' });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const send = useMutation({
    mutationFn: (trial: boolean) =>
      withStepUp(() =>
        make({
          name: values.name,
          credit_code: values.credit_code.trim() === '' ? null : values.credit_code,
          contact: values.contact,
          trial,
        }),
      ),
    onSuccess: async (created) => {
      if (created === null) return;
      await queryClient.invalidateQueries({ queryKey: ['enterprises'] });
      toast.done(
        created.trial?.state === 'waiting'
          ? '试用申请已提交，等待审核'
          : created.state === 'trial'
            ? '试用已开通'
            : '企业已创建，购买席位后开通',
      );
      await navigate(`/enterprise/${created.id}${created.state === 'pending' ? '?tab=orders' : ''}`);
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const fields = error.fields ?? [];
      setFaults(
        fields.length > 0
          ? Object.fromEntries(fields.map(({ field, text }) => [field ?? 'name', text]))
          : { credit_code: error.message },
      );
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFaults({});
    send.mutate(true);
  };
  const field = (key: keyof typeof values, title: string, hint: string, most: number) => (
    <label className={styles['label']} htmlFor={`${id}-${key}`}>
      <span>{title}</span>
      <Input
        id={`${id}-${key}`}
        value={values[key]}
        maxLength={most}
        placeholder={hint}
        status={faults[key] ? 'error' : ''}
        aria-describedby={faults[key] ? `${id}-${key}-fault` : undefined}
        onChange={(event) => {
          setValues({ ...values, [key]: event.target.value });
          setFaults({});
        }}
      />
      {faults[key] ? (
        <span id={`${id}-${key}-fault`} className={styles['fault']} role="alert">
          {faults[key]}
        </span>
      ) : null}
    </label>
  );
  return (
    <form className={styles['form']} onSubmit={submit}>
      {field('name', '企业名称', '2–60 个字，与营业执照一致', 60)}
      {field('credit_code', '统一社会信用代码', '18 位，试用必填', 18)}
      {field('contact', '联系人', '姓名，试用必填', 60)}
      <div className={styles['acts']}>
        <Button type="primary" htmlType="submit" loading={send.isPending}>
          申请 14 天试用
        </Button>
        <Button disabled={send.isPending} onClick={() => send.mutate(false)}>
          不试用，直接购买席位
        </Button>
      </div>
      <p className={styles['quiet']}>申请试用需要验证一次手机验证码。</p>
    </form>
  );
}
