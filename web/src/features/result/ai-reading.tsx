/** AI 解读: who would write it, the price and what is sent stand before the start; the reading by rules is free. */
import type { AiResult, ReadingSentence } from '@hengxi/server/ai/schema';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { Link } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { copyForms } from '../../report/clipboard.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './ai-reading.module.css';
import type { OpenReport } from './queries.ts';
import { type AiReadingState, useAiReading } from './use-ai-reading.ts';

const AI_MARK = '由AI生成，请核对';
const RULES_MARK = '由规则生成';

const textOf = (sentences: readonly ReadingSentence[]): string =>
  sentences.map((sentence) => sentence.map(({ text }) => text).join('')).join('\n');

export function AiReading({ report }: { report: OpenReport }) {
  const reading = useAiReading(report.rid, report.key);
  const [isAsking, setAsking] = useState(false);
  const box = useRef<HTMLElement>(null);
  const { result, error, working } = reading;
  return (
    <section ref={box} tabIndex={-1} className={styles['reading']} aria-label="AI 解读">
      <div className={styles['head']}>
        <h2>AI 解读</h2>
      </div>
      {result === undefined && error === null ? <ListSkeleton rows={2} /> : null}
      {error === null ? null : (
        <p className={styles['reason']}>
          {errorText(error)}{' '}
          <Button size="small" onClick={reading.retry}>
            重试
          </Button>
        </p>
      )}
      {result === undefined ? null : (
        <>
          <Stored result={result} />
          <div role="status">
            {working === null ? null : <p className={styles['quiet']}>正在解读：{working}……</p>}
            {working === null && result.reason !== null ? <p className={styles['reason']}>{result.reason}</p> : null}
          </div>
          <div className={styles['acts']}>
            {working === null ? (
              <StartButton result={result} onStart={() => setAsking(true)} />
            ) : (
              <Button
                onClick={() => {
                  reading.stop();
                  box.current?.focus({ preventScroll: true });
                }}
              >
                停止并退回点数
              </Button>
            )}
            {result.consented && result.provider !== null && working === null ? (
              <Button type="text" onClick={reading.withdraw}>
                撤回发送同意
              </Button>
            ) : null}
          </div>
          <Rules result={result} />
          {isAsking ? <StartDialog result={result} reading={reading} onClose={() => setAsking(false)} /> : null}
        </>
      )}
    </section>
  );
}

function StartButton({ result, onStart }: { result: AiResult; onStart: () => void }) {
  const { provider, price, balance, sentences } = result;
  if (provider === null) return <p className={styles['quiet']}>这里没有可用的模型，请看下面的规则解读，不用点数。</p>;
  const verb = sentences.length > 0 ? '重新解读' : '开始 AI 解读';
  return (
    <Button onClick={onStart}>
      {verb}（{price} 点，余 {balance} 点）
    </Button>
  );
}

function Sentences({ list }: { list: readonly ReadingSentence[] }) {
  return list.map((sentence, n) => (
    <p key={`${n}`} className={styles['prose']}>
      {sentence.map(({ text }) => text).join('')}
    </p>
  ));
}

function Stored({ result }: { result: AiResult }) {
  const { sentences, stale, content_id: contentId, provider } = result;
  if (sentences.length === 0) return null;
  const mark = `${AI_MARK}（${contentId ?? ''}）`;
  return (
    <>
      {stale ? <p className={styles['stale']}>这段解读基于旧结果，报告已经重算。</p> : null}
      <div className={styles['card']}>
        <Sentences list={sentences} />
        <p className={styles['quiet']}>
          {mark}
          {provider === null ? '' : ` · 模型：${provider}`} · 数字都由报告填入
        </p>
        <div className={styles['acts']}>
          <Button size="small" onClick={() => void copyForms({ text: `${textOf(sentences)}\n${mark}` })}>
            复制
          </Button>
        </div>
      </div>
    </>
  );
}

function Rules({ result }: { result: AiResult }) {
  const { rules, provider, state, sentences } = result;
  if (rules.length === 0) return <p className={styles['quiet']}>该报告没有可解读的结果。</p>;
  const isOpen = sentences.length === 0 && (provider === null || state === 'failed');
  return (
    <details className={styles['rules']} open={isOpen}>
      <summary>规则解读（免费）</summary>
      <div className={styles['card']}>
        <Sentences list={rules} />
        <p className={styles['quiet']}>{RULES_MARK}</p>
        <div className={styles['acts']}>
          <Button size="small" onClick={() => void copyForms({ text: `${textOf(rules)}\n${RULES_MARK}` })}>
            复制
          </Button>
        </div>
      </div>
    </details>
  );
}

interface StartDialogProps {
  result: AiResult;
  reading: AiReadingState;
  onClose: () => void;
}

/** The price and exactly what leaves the machine; nothing is sent before the second click. */
function StartDialog({ result, reading, onClose }: StartDialogProps) {
  const { price, balance, provider, consented, sends } = result;
  const [isStarting, setStarting] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isPoor = balance < price;
  const start = (): void => {
    setStarting(true);
    setFault(null);
    reading
      .start(true)
      .then(onClose)
      .catch((error: unknown) => {
        setFault(errorText(error));
        setStarting(false);
      });
  };
  return (
    <Dialog
      open
      title="开始 AI 解读"
      width="choose"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{consented ? '取消' : '不发送'}</Button>
          <Button type="primary" loading={isStarting} disabled={isPoor} onClick={start}>
            {consented ? '开始' : '同意并开始'}（{price} 点）
          </Button>
        </>
      }
    >
      <p>
        本次用 {price} 点，余 {balance} 点。没有通过核对、出错或停止，点数都会退回。
      </p>
      {isPoor ? (
        <p className={styles['reason']}>
          AI 点数不足，本次需要 {price} 点。 <Link to="/member/aipaid">购买点数</Link>
        </p>
      ) : null}
      <p className={styles['quiet']}>
        会发送给“{provider}”的只有下面这些：方法名称、陈述的类别和句式。不含原始数据、变量名、标签和任何数值。
      </p>
      <details>
        <summary>将发送什么</summary>
        <pre className={styles['sends']}>{sends}</pre>
      </details>
      {fault === null ? null : (
        <p role="alert" className={styles['reason']}>
          {fault}
        </p>
      )}
    </Dialog>
  );
}
