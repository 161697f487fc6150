/** Head of the method card: title, what it answers, the help-link strip, favourite and more. */
import type { Declaration, HelpLink } from '@hengxi/contracts/contract';
import {
  DownloadOutlined,
  EllipsisOutlined,
  FormOutlined,
  MenuFoldOutlined,
  PlayCircleOutlined,
  ReadOutlined,
  StarFilled,
  StarOutlined,
} from '@ant-design/icons';
import type { MenuProps } from 'antd';

import { formatInstant } from '../../../lib/format-size.ts';
import { toggleFavourite, useFavourites } from '../local.ts';
import { DropMenu } from '../../../ui/drop-menu.tsx';
import styles from './method-head.module.css';
import { useFold } from './panes.tsx';

/** Opened when a method has no page yet (specification, routes). */
const NOTHING_YET = '/dochelpempty';

export function exampleUrl(help: Pick<HelpLink, 'example_data'>): string {
  return help.example_data.startsWith('/') ? help.example_data : `/data/${help.example_data}`;
}

export interface HelpStripProps {
  help: Pick<HelpLink, 'doc_link' | 'video_link'> & { example_data: string | null };
  /** Fills the form with the example of a method without data. */
  onExample: () => void;
}

export function HelpStrip({ help, onExample }: HelpStripProps) {
  return (
    <div className={styles['strip']}>
      {help.video_link === null ? null : (
        <a href={help.video_link} target="_blank" rel="noreferrer">
          <PlayCircleOutlined aria-hidden /> 操作视频
        </a>
      )}
      <a href={help.doc_link === '' ? NOTHING_YET : help.doc_link} target="_blank" rel="noreferrer">
        <ReadOutlined aria-hidden /> 帮助文档
      </a>
      {help.example_data === null ? null : help.example_data.endsWith('.json') ? (
        <button type="button" onClick={onExample}>
          <FormOutlined aria-hidden /> 填入示例
        </button>
      ) : (
        <a href={exampleUrl({ example_data: help.example_data })} download>
          <DownloadOutlined aria-hidden /> 示例数据
        </a>
      )}
    </div>
  );
}

export function FavouriteButton({ path, title }: { path: string; title: string }) {
  const on = useFavourites((state) => state.paths.includes(path));
  return (
    <button
      type="button"
      className={styles['tool']}
      aria-pressed={on}
      aria-label={`收藏${title}`}
      onClick={() => toggleFavourite(path)}
    >
      {on ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
    </button>
  );
}

export interface MethodHeadProps {
  declaration: Declaration;
  help: Pick<HelpLink, 'doc_link' | 'video_link'> & { example_data: string | null };
  menu: MenuProps;
  /** End of the unlock that opens the method; null where none is needed. */
  unlockedUntil: string | null;
  onExample: () => void;
}

export function MethodHead({ declaration, help, menu, unlockedUntil, onExample }: MethodHeadProps) {
  const fold = useFold();
  return (
    <header className={styles['head']}>
      <div className={styles['line']}>
        <h1 className={styles['title']}>{declaration.title}</h1>
        <FavouriteButton path={declaration.path} title={declaration.title} />
        <DropMenu menu={menu}>
          <button type="button" className={styles['tool']} aria-label="更多">
            <EllipsisOutlined aria-hidden />
          </button>
        </DropMenu>
        <button type="button" className={styles['tool']} aria-label="收起设置栏" onClick={() => fold('settings')}>
          <MenuFoldOutlined aria-hidden />
        </button>
      </div>
      <p className={styles['purpose']}>{declaration.purpose}</p>
      {unlockedUntil === null ? null : (
        <p className={styles['unlocked']}>已用积分解锁，至 {formatInstant(unlockedUntil)}</p>
      )}
      <HelpStrip help={help} onExample={onExample} />
    </header>
  );
}
