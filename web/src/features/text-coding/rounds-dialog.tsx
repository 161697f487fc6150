/** 双人编码: a sample for a second coder, how far both agree, and the answers they differ on, settled one by one. */
import type { Coding, Round } from '@hengxi/server/answer-coding/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { copyText } from '../../lib/copy-text.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import table from '../../ui/plain-table.module.css';
import styles from './coding.module.css';
import { shownCodes } from './keys.ts';
import { removeRound, roundsQuery, settleAnswer, startRound } from './queries.ts';

const LOW = 0.6;

interface RoundsDialogProps {
  coding: Coding;
  open: boolean;
  onSettled: () => void;
  onClose: () => void;
}

export function RoundsDialog(props: RoundsDialogProps) {
  return (
    <Dialog open={props.open} title="双人编码" width="wide" onClose={props.onClose}>
      {props.open ? <Rounds {...props} /> : null}
    </Dialog>
  );
}

function Rounds({ coding, onSettled }: RoundsDialogProps) {
  const rounds = useQuery(roundsQuery(coding.id));
  const [isWorking, setWorking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const run = async (act: Promise<void>): Promise<void> => {
    setWorking(true);
    setFault(null);
    try {
      await act;
    } catch (error) {
      setFault(errorText(error));
    } finally {
      setWorking(false);
    }
  };
  return (
    <div className={styles['form']}>
      <p className={styles['quiet']}>
        从已编码的回答里随机抽 10%（至少 50 条，最多 200
        条，不够就全部），由另一个人再编一次。对方只看到回答和码表，看不到已有的编码。
        {coding.masked ? '' : '这份编码没有遮住手机号、证件号和邮箱，对方会看到原文。'}
      </p>
      <div className={styles['inline']}>
        <Button disabled={isWorking} onClick={() => void run(startRound(coding.id, 'invited'))}>
          请人编码
        </Button>
        <Button disabled={isWorking} onClick={() => void run(startRound(coding.id, 'self'))}>
          自己隔 7 天再编
        </Button>
      </div>
      {fault ? (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      ) : null}
      <Loaded query={rounds} rows={2}>
        {({ list }) => (
          <>
            {list.map((round) => (
              <OneRound key={round.id} coding={coding} round={round} run={run} onSettled={onSettled} />
            ))}
          </>
        )}
      </Loaded>
    </div>
  );
}

interface OneRoundProps {
  coding: Coding;
  round: Round;
  run: (act: Promise<void>) => Promise<void>;
  onSettled: () => void;
}

function OneRound({ coding, round, run, onSettled }: OneRoundProps) {
  const [isLeaving, setLeaving] = useState(false);
  const link = `${location.origin}/analysis/coding/second/${round.code}`;
  const copy = async (): Promise<void> => {
    await copyText(link);
    toast.done('链接已复制');
  };
  return (
    <section className={styles['round']}>
      <div className={styles['inline']}>
        <h3 className={styles['grow']}>
          {round.kind === 'self' ? '自己再编' : (round.coder ?? '等对方打开链接')}，{round.size} 条，
          {round.ended_at === null ? `已编 ${round.done} 条` : '已提交'}
        </h3>
        {round.ended_at === null ? (
          <>
            {round.kind === 'self' ? (
              <Button size="small" href={link}>
                去编码
              </Button>
            ) : (
              <Button size="small" onClick={() => void copy()}>
                复制链接
              </Button>
            )}
          </>
        ) : null}
        <Button size="small" type="text" danger onClick={() => setLeaving(true)}>
          删除
        </Button>
      </div>
      {round.ended_at === null && round.kind === 'invited' ? (
        <p className={styles['quiet']}>
          {link}
          <br />
          对方登录后打开。第一个打开的人就是这一轮的编码者。
        </p>
      ) : null}
      <ConfirmDialog
        open={isLeaving}
        title="删除这一轮双人编码"
        text={`后编的 ${round.done} 条编码和一致性会一起删除，不能恢复，发出的链接也不能再用。已经裁定的编码不变。`}
        act="删除"
        danger
        onAct={() => {
          setLeaving(false);
          void run(removeRound(coding.id, round.id));
        }}
        onClose={() => setLeaving(false)}
      />
      {round.agreement ? <Agreement coding={coding} round={round} /> : null}
      {round.differing.length > 0 ? <Differing coding={coding} round={round} run={run} onSettled={onSettled} /> : null}
    </section>
  );
}

const two = (value: number | null): string => (value === null ? '—' : value.toFixed(2));

function Agreement({ coding, round }: { coding: Coding; round: Round }) {
  const { agreement } = round;
  if (!agreement) return null;
  const names = new Map(coding.codes.map(({ id, name }) => [id, name]));
  const order = shownCodes(coding.codes).map(({ id }) => id);
  const inOrder = agreement.codes.toSorted((a, b) => order.indexOf(a.code) - order.indexOf(b.code));
  return (
    <>
      <p>
        平均 κ = {two(agreement.mean_kappa)}，Krippendorff α（MASI）= {two(agreement.alpha)}，都是裁定前的。
      </p>
      <div className={styles['scroll']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">编码</th>
              <th scope="col" className={table['number']}>
                一致
              </th>
              <th scope="col" className={table['number']}>
                κ
              </th>
              <th scope="col" className={table['number']}>
                95% CI（自助法）
              </th>
              <th scope="col" className={table['number']}>
                两人各用的次数
              </th>
            </tr>
          </thead>
          <tbody>
            {inOrder.map((one) => (
              <tr key={one.code}>
                <td>
                  {names.get(one.code)}
                  {one.kappa !== null && one.kappa < LOW ? (
                    <small className={styles['low']}>该编码一致性偏低，建议修改定义后重编</small>
                  ) : null}
                </td>
                <td className={table['number']}>{(100 * one.agreed).toFixed(0)}%</td>
                <td className={table['number']}>{two(one.kappa)}</td>
                <td className={table['number']}>{one.low === null ? '—' : `${two(one.low)} – ${two(one.high)}`}</td>
                <td className={table['number']}>
                  {one.first} / {one.second}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Differing({ coding, round, run, onSettled }: OneRoundProps) {
  const names = new Map(coding.codes.map(({ id, name }) => [id, name]));
  const words = (codes: readonly number[]): string => codes.map((code) => names.get(code)).join('、') || '无';
  const options = coding.codes.filter(({ gone }) => !gone).map(({ id, name }) => ({ value: id, label: name }));
  const settle = (place: number, codes: number[]): Promise<void> =>
    run(settleAnswer(coding.id, round.id, place, codes).then(onSettled));
  const open = round.differing.filter(({ settled }) => settled === null).length;
  return (
    <>
      <h4>
        不一致的 {round.differing.length} 条，{open > 0 ? `还有 ${open} 条没有裁定` : '都已裁定'}
      </h4>
      <ul className={styles['plain']}>
        {round.differing.map((one) => (
          <li key={one.place} className={styles['differing']}>
            <p>{one.text}</p>
            <div className={styles['inline']}>
              <Button size="small" onClick={() => void settle(one.place, one.first)}>
                用先编的：{words(one.first)}
              </Button>
              <Button size="small" onClick={() => void settle(one.place, one.second)}>
                用后编的：{words(one.second)}
              </Button>
              <Select
                size="small"
                mode="multiple"
                value={one.settled ?? []}
                placeholder="另定编码"
                aria-label="另定编码"
                options={options}
                onChange={(codes) => void settle(one.place, codes)}
              />
              {one.settled === null ? null : <span className={styles['quiet']}>已裁定：{words(one.settled)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
