/** The header's two slots for news: the promotion banner and the broadcasts, one sentence after the other. */
import type { Banner } from '@hengxi/server/campaigns/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';

import { api } from '../../lib/api.ts';
import styles from './promotions.module.css';

const TURN_MS = 2000;
const HALF_HOUR = 1_800_000;

/** Asked once a visit: with the person these are the three calls the frame makes at its start. */
export const bannerQuery = queryOptions({
  queryKey: ['banner'],
  queryFn: ({ signal }) =>
    api.get<Banner>('/v1/ads/banner', { query: { position: 'header' }, signal, quiet: true }).catch(() => null),
  staleTime: HALF_HOUR,
});
export const broadcastsQuery = queryOptions({
  queryKey: ['broadcasts'],
  queryFn: ({ signal }) => api.get<string[]>('/v1/campaign/broadcasts', { signal, quiet: true }).catch(() => []),
  staleTime: HALF_HOUR,
});

export function HeaderBanner() {
  const banner = useQuery(bannerQuery).data ?? null;
  return banner ? <BannerView banner={banner} /> : null;
}

export function BannerView({ banner }: { banner: NonNullable<Banner> }) {
  const content = (
    <>
      <span className={styles['label']}>{banner.label}</span>
      {banner.image ? <img src={banner.image} alt={banner.alt} className={styles['image']} /> : null}
      {banner.text ? <span className={styles['text']}>{banner.text}</span> : null}
    </>
  );
  // Own pages open here; anything else is another site and says so to the browser.
  return /^\/(?![/\\])/.test(banner.url) ? (
    <Link to={banner.url} className={styles['banner']}>
      {content}
    </Link>
  ) : (
    <a href={banner.url} target="_blank" rel="noreferrer" className={styles['banner']}>
      {content}
    </a>
  );
}

export function HeaderBroadcasts() {
  const sentences = useQuery(broadcastsQuery).data ?? [];
  return sentences.length > 0 ? <Carousel sentences={sentences} /> : null;
}

/** Two seconds each; stands still under the pointer, with the focus inside, in a hidden tab and under reduced motion. */
export function Carousel({ sentences }: { sentences: readonly string[] }) {
  const [place, setPlace] = useState(0);
  const [held, setHeld] = useState(false);
  const isMoving = sentences.length > 1 && !held;
  useEffect(() => {
    if (!isMoving || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setPlace((at) => at + 1);
    }, TURN_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  const at = place % sentences.length;
  return (
    <button
      type="button"
      className={styles['broadcast']}
      aria-label={`公告 ${at + 1}/${sentences.length}：${sentences[at] ?? ''}`}
      title={sentences[at]}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onClick={() => setPlace((now) => now + 1)}
    >
      {sentences[at]}
    </button>
  );
}
