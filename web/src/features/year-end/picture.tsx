/** 保存图片: the figures to show are ticked, the name is off, and what is seen is what is saved. */
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox, QRCode } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';

import { meQuery } from '../../lib/me.ts';
import { queryClient } from '../../lib/query-client.ts';
import { saveFile } from '../../report/clipboard.ts';
import { cardOf, cardText, drawCard, HEIGHT, WIDTH } from './card.ts';
import type { Card } from './card.ts';
import type { Figure } from './figures.ts';
import styles from './year-end.module.css';

interface PictureProps {
  year: number;
  figures: readonly Figure[];
  range: string;
}

/** Leads to the page, and says nothing of who shared it. */
const address = (): string => `${location.origin}/year-end-report`;

export function Picture({ year, figures, range }: PictureProps) {
  const shown = figures.filter(({ value }) => value !== null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(() => new Set(shown.map(({ key }) => key)));
  const [isNamed, setNamed] = useState(false);
  const name = useMutation({
    mutationFn: () => queryClient.ensureQueryData(meQuery),
    onError: () => setNamed(false),
  });
  const canvas = useRef<HTMLCanvasElement>(null);
  const nickname = isNamed ? (name.data?.nickname ?? null) : null;
  const card = useMemo(
    () => cardOf({ year, figures, ticked, nickname, range, host: location.host, isSample: false }),
    [year, figures, ticked, nickname, range],
  );
  const save = useMutation({
    mutationFn: async () => {
      const png = await new Promise<Blob | null>((done) => {
        if (canvas.current) canvas.current.toBlob(done, 'image/png');
        else done(null);
      });
      if (png === null) throw new Error('浏览器没有生成图片，请换一个浏览器再试');
      saveFile(`衡析-${year}-年终报告.png`, 'image/png', png);
    },
  });
  const tick = (key: string, isOn: boolean): void => {
    const next = new Set(ticked);
    if (isOn) next.add(key);
    else next.delete(key);
    setTicked(next);
  };
  return (
    <section className={styles['share']} aria-labelledby="year-end-picture">
      <div>
        <h2 id="year-end-picture">保存成图片</h2>
        <p className={styles['quiet']}>图片在你的浏览器里画，不会上传。二维码只指向这个页面，不含你的账号。</p>
        <fieldset className={styles['ticks']}>
          <legend>图片上放哪些</legend>
          {shown.map(({ key, label }) => (
            <Checkbox key={key} checked={ticked.has(key)} onChange={({ target }) => tick(key, target.checked)}>
              {label}
            </Checkbox>
          ))}
          <Checkbox
            checked={isNamed}
            onChange={({ target }) => {
              setNamed(target.checked);
              if (target.checked && name.data === undefined) name.mutate();
            }}
          >
            我的昵称
          </Checkbox>
        </fieldset>
        {name.error ? (
          <p role="alert" className={styles['fault']}>
            昵称没有读出来，图片上没有放。
          </p>
        ) : null}
        <Button type="primary" disabled={ticked.size === 0} loading={save.isPending} onClick={() => save.mutate()}>
          保存图片
        </Button>
        {ticked.size === 0 ? <p className={styles['quiet']}>至少勾选一项才能保存。</p> : null}
        {save.error ? (
          <p role="alert" className={styles['fault']}>
            {save.error.message}
          </p>
        ) : null}
      </div>
      <CardCanvas card={card} canvas={canvas} />
    </section>
  );
}

export function CardCanvas({ card, canvas }: { card: Card; canvas?: React.RefObject<HTMLCanvasElement | null> }) {
  const own = useRef<HTMLCanvasElement>(null);
  const at = canvas ?? own;
  const code = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const ink = at.current?.getContext('2d');
    if (ink) drawCard(ink, card, code.current?.querySelector('canvas') ?? null);
  }, [at, card]);
  return (
    <div className={styles['preview']}>
      <div ref={code} hidden>
        <QRCode type="canvas" value={address()} size={344} bordered={false} color="#1d232b" bgColor="#ffffff" />
      </div>
      <canvas ref={at} width={WIDTH} height={HEIGHT} role="img" aria-label={cardText(card)} />
    </div>
  );
}
