/** Tools of a chart: copy, its numbers as a table, files, grey print, hiding. */
import { CopyOutlined, DownloadOutlined, EditOutlined, TableOutlined } from '@ant-design/icons';
import type { ChartElement, TableElement } from '@hengxi/contracts/contract';

import { toast } from '../../lib/toast.ts';
import { copyPicture, saveFile } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { withGrey, withHidden } from '@hengxi/contracts/report/presentation';
import { type FigureEdit, MILLIMETRES, SIZE_NAMES } from '@hengxi/contracts/chart/figure-edit';
import { useNoting } from '../note/noting.ts';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { specOf } from './spec.ts';
import tools from '../tools.module.css';
import { type FigureFormat, figureFile } from './export.ts';

interface ChartToolsProps {
  /** Key of the block it can hide; null inside a panel. */
  name: string | null;
  caption: string;
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  edit: FigureEdit;
  onEdit: (() => void) | undefined;
  asTable: boolean;
  onTable: (() => void) | undefined;
}

export function ChartTools({ name, caption, chart, tables, edit, onEdit, asTable, onTable }: ChartToolsProps) {
  const { presentation, readonly, onExport } = useReport();
  const noting = useNoting((s) => s.open);
  const save = async (format: FigureFormat, dpi: number, mm: number): Promise<void> => {
    const blob = await figureFile(chart, tables, caption, { format, dpi, mm, edits: { [chart.id]: edit } });
    if (blob === null) toast.warn('这个图没有可以画的数据');
    else saveFile(`${caption}.${format}`, blob.type, blob);
  };
  const copy = (): void => {
    const mm = edit.size === undefined ? COPIED_MM : MILLIMETRES[edit.size];
    const wish = { format: 'png', dpi: 300, mm, edits: { [chart.id]: edit } } as const;
    const made = figureFile(chart, tables, caption, wish).then((blob) => blob ?? Promise.reject(new Error('empty')));
    copyPicture(made, caption).catch(() => toast.warn('这个图没有可以画的数据'));
  };
  const items = [
    ...widthsFor(edit).map(({ mm, label }) => ({
      key: `w-${mm}`,
      label,
      children: [
        ...FILES.map(({ key, label: file }) => ({ key: `${key}-${mm}`, label: file })),
        ...(onExport === undefined || name === null ? [] : [{ key: `pdf-${mm}`, label: 'PDF（矢量，文字可选）' }]),
      ],
    })),
    { key: 'spec', label: '图的规格与数据（JSON）' },
    ...(readonly
      ? []
      : [
          { type: 'divider' as const },
          { key: 'grey', label: edit.palette === 'grey' ? '恢复彩色' : '灰度印刷（全部图）' },
          ...(name === null
            ? []
            : [
                { key: 'note', label: '写附注' },
                { key: 'hide', label: '隐藏此图' },
              ]),
        ]),
  ];
  return (
    <div className={tools['tools']} role="toolbar" aria-label={`${caption}的工具`}>
      {onEdit === undefined ? null : (
        <button type="button" className={tools['tool']} onClick={onEdit}>
          <EditOutlined aria-hidden /> 编辑图
        </button>
      )}
      {onTable === undefined ? null : (
        <button type="button" className={tools['tool']} onClick={onTable} aria-pressed={asTable}>
          <TableOutlined aria-hidden /> {asTable ? '看图' : '数据表'}
        </button>
      )}
      <button type="button" className={tools['tool']} onClick={copy} aria-label="复制图" title="复制图">
        <CopyOutlined aria-hidden />
      </button>
      <DropMenu
        menu={{
          items,
          onClick: ({ key }) => {
            if (key === 'grey') presentation.change(withGrey(presentation.value, edit.palette !== 'grey'));
            else if (key === 'spec') saveFile(`${caption}.json`, 'application/json', specOf(chart, tables, edit));
            else if (key === 'note' && name !== null) noting(name);
            else if (key === 'hide' && name !== null) presentation.change(withHidden(presentation.value, name));
            else if (key.startsWith('pdf-')) {
              // The server goes by the size chosen for the figure, if there is one.
              const width = ALL_WIDTHS.find(({ mm }) => key === `pdf-${mm}`);
              onExport?.({ element: chart.id, as: 'pdf', ...(width === undefined ? {} : { mm: width.mm }) });
            } else {
              const file = FILES.find((f) => key.startsWith(`${f.key}-`));
              if (file !== undefined) void save(file.format, file.dpi, Number(key.split('-').at(-1)));
            }
          },
        }}
        placement="bottomRight"
      >
        <button type="button" className={tools['tool']} aria-label="下载图">
          <DownloadOutlined aria-hidden />
        </button>
      </DropMenu>
    </div>
  );
}

/** As wide as the text of a page asks for, where the reader chose no size. */
const COPIED_MM = 140;

const ALL_WIDTHS: readonly { mm: 85 | 140 | 180; label: string }[] = [
  { mm: 85, label: '单栏图（宽 85 毫米）' },
  { mm: 140, label: '一栏半（宽 140 毫米）' },
  { mm: 180, label: '双栏图（宽 180 毫米）' },
];

/** A size chosen in the editor holds for files too. */
function widthsFor({ size }: FigureEdit): readonly { mm: number; label: string }[] {
  return size === undefined ? ALL_WIDTHS : [{ mm: MILLIMETRES[size], label: `下载（${SIZE_NAMES[size]}）` }];
}

const FILES: readonly { key: string; label: string; format: FigureFormat; dpi: number }[] = [
  { key: 'png300', label: 'PNG，300 dpi', format: 'png', dpi: 300 },
  { key: 'png600', label: 'PNG，600 dpi', format: 'png', dpi: 600 },
  { key: 'tiff300', label: 'TIFF，300 dpi', format: 'tiff', dpi: 300 },
  { key: 'tiff600', label: 'TIFF，600 dpi', format: 'tiff', dpi: 600 },
  { key: 'svg', label: 'SVG（矢量，文字可改）', format: 'svg', dpi: 96 },
];
