/** Tools of a chart: its numbers as a table, files, grey print, hiding. */
import { DownloadOutlined, TableOutlined } from '@ant-design/icons';
import type { ChartElement, TableElement } from '@hengxi/contracts/contract';
import { Dropdown } from 'antd';

import { saveFile } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { withHidden } from '../presentation.ts';
import tools from '../tools.module.css';
import { drawn } from './drawn.ts';
import { chartPng, chartSvg, EXPORT_WIDTH } from './export.ts';
import { chartSource, type Facet } from './source.ts';
import { GREY, LIGHT } from './theme.ts';

interface ChartToolsProps {
  /** Key of the block it can hide; null inside a panel. */
  name: string | null;
  caption: string;
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  facets: readonly Facet[];
  grey: boolean;
  asTable: boolean;
  onTable: (() => void) | undefined;
}

export function ChartTools({ name, caption, chart, tables, facets, grey, asTable, onTable }: ChartToolsProps) {
  const { presentation, readonly } = useReport();
  const save = async (key: string): Promise<void> => {
    const theme = grey ? GREY : LIGHT;
    for (const facet of facets) {
      const source = chartSource(chart, tables, facet);
      if (source === null) continue;
      const file = facet.label === '' ? caption : `${caption} ${facet.label}`;
      const drawing = drawn(source, EXPORT_WIDTH, theme, false);
      const blob =
        key === 'png'
          ? await chartPng(drawing, theme)
          : new Blob([await chartSvg(drawing, theme)], { type: 'image/svg+xml' });
      if (blob !== null) saveFile(`${file}.${key}`, blob.type, blob);
    }
  };
  const items = [
    { key: 'png', label: '下载 PNG（2 倍）' },
    { key: 'svg', label: '下载 SVG（矢量）' },
    ...(readonly
      ? []
      : [
          { type: 'divider' as const },
          { key: 'grey', label: grey ? '恢复彩色' : '灰度印刷（全部图）' },
          ...(name === null ? [] : [{ key: 'hide', label: '隐藏此图' }]),
        ]),
  ];
  return (
    <div className={tools['tools']} role="toolbar" aria-label={`${caption}的工具`}>
      {onTable === undefined ? null : (
        <button type="button" className={tools['tool']} onClick={onTable} aria-pressed={asTable}>
          <TableOutlined aria-hidden /> {asTable ? '看图' : '数据表'}
        </button>
      )}
      <Dropdown
        menu={{
          items,
          onClick: ({ key }) => {
            if (key === 'grey') presentation.change({ ...presentation.value, grey: !grey });
            else if (key === 'hide' && name !== null) presentation.change(withHidden(presentation.value, name));
            else void save(key);
          },
        }}
        trigger={['click']}
        placement="bottomRight"
      >
        <button type="button" className={tools['tool']} aria-label="下载图">
          <DownloadOutlined aria-hidden />
        </button>
      </Dropdown>
    </div>
  );
}
