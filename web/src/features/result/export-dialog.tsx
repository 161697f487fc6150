/** 导出报告: the format with what it needs to know, which blocks, the making, the download. 520 px. */
import type { ProjectExportBody, ReportExportBody } from '@hengxi/server/report-exports/schema';
import type { Run } from '@hengxi/server/runs/schema';
import { Button, Checkbox, Input, Segmented } from 'antd';
import type { Chapter } from '@hengxi/contracts/report/blocks';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';

import { useExport } from '../../lib/use-export.ts';
import { ExportChoices, ExportDialog, ExportFormats, ExportLine } from '../../ui/export-dialog.tsx';
import { ReportSkeleton } from '../../ui/skeleton.tsx';
import { bodyOf, type Choices, FIRST, FORMATS, hasDpi, hasExtent, hasStyle, isPaged } from './export-choices.ts';
import styles from './export-dialog.module.css';
import type { Block } from './share-blocks.ts';

const ExportPreview = lazy(async () => ({ default: (await import('./export-preview.tsx')).ExportPreview }));

type Body = Pick<ReportExportBody & ProjectExportBody, 'format' | 'options'>;

export interface ReportExportDialogProps {
  title: string;
  /** Blocks to choose from; empty: everything goes out. */
  blocks: readonly Block[];
  begin: (body: Body) => Promise<Run>;
  /** What is being exported, for a look before it; left out: no preview. */
  chapter?: Chapter | undefined;
  /** How tables look unless another style is chosen here. */
  style?: Choices['style'] | undefined;
  /** How much goes out unless it is chosen otherwise. */
  extent?: Choices['extent'] | undefined;
  /** Chosen already by a tool of a block: the work begins at once. */
  chosen?: { choices: Choices; blocks: string[] } | undefined;
  onClose: () => void;
}

export function ReportExportDialog(props: ReportExportDialogProps) {
  const { title, blocks, begin, chapter, style, extent, chosen, onClose } = props;
  const [looking, setLooking] = useState(false);
  const [choices, setChoices] = useState<Choices>(
    chosen?.choices ?? {
      ...FIRST,
      style: style ?? FIRST.style,
      extent: extent ?? FIRST.extent,
    },
  );
  const [off, setOff] = useState<ReadonlySet<string>>(new Set(blocks.filter((b) => b.own).map((b) => b.title)));
  const control = useExport(begin);
  const isShort = hasExtent(choices.format) && choices.extent !== 'all';
  const offered = isShort ? blocks.filter((b) => b.detail !== true) : blocks;
  const chosenBlocks = offered.filter((b) => !off.has(b.title));
  const ids =
    chosenBlocks.length === offered.length && !offered.some((b) => b.own) ? null : chosenBlocks.flatMap((b) => b.ids);
  const beginChosen = useEffectEvent(() => {
    if (chosen !== undefined) void control.start(bodyOf(chosen.choices, chosen.blocks));
  });
  useEffect(() => beginChosen(), []);
  const isEmpty = blocks.length > 0 && chosenBlocks.length === 0;
  const actions = (
    <>
      {looking || chapter === undefined ? null : (
        <Button disabled={isEmpty} onClick={() => setLooking(true)}>
          预览
        </Button>
      )}
      <Button type="primary" disabled={isEmpty} onClick={() => void control.start(bodyOf(choices, ids))}>
        导出
      </Button>
    </>
  );
  return (
    <ExportDialog
      title={title}
      width={looking ? 'wide' : 'choose'}
      control={control}
      actions={actions}
      onReturn={looking ? () => setLooking(false) : undefined}
      onClose={onClose}
    >
      {looking && chapter !== undefined ? (
        <Suspense fallback={<ReportSkeleton />}>
          <ExportPreview chapter={chapter} asked={bodyOf(choices, ids)} />
        </Suspense>
      ) : (
        <ExportChoices>
          <Formats choices={choices} onChange={setChoices} />
          {offered.length > 0 ? <Blocks blocks={offered} off={off} onChange={setOff} /> : null}
        </ExportChoices>
      )}
    </ExportDialog>
  );
}

interface FormatsProps {
  choices: Choices;
  onChange: (choices: Choices) => void;
}

function Formats({ choices, onChange }: FormatsProps) {
  const set = (part: Partial<Choices>): void => onChange({ ...choices, ...part });
  const { format } = choices;
  return (
    <>
      <ExportFormats formats={FORMATS} value={format} onChange={(next) => set({ format: next })} />
      {hasExtent(format) ? (
        <ExportLine title="篇幅">
          <Segmented<Choices['extent']>
            aria-label="篇幅"
            options={[
              { value: 'brief', label: '只要结果', title: '结论、主要的表和图；所用方法在最后列一次' },
              { value: 'main', label: '主要结果', title: '结论、主要的表和图、所用方法，一般两三页' },
              { value: 'all', label: '全部明细', title: '再加解读、明细表和诊断图' },
            ]}
            value={choices.extent}
            onChange={(extent) => set({ extent })}
          />
        </ExportLine>
      ) : null}
      {hasStyle(format) ? (
        <ExportLine title="表格样式">
          <Segmented<Choices['style']>
            aria-label="表格样式"
            options={[
              { value: 'three', label: '三线表' },
              { value: 'apa', label: 'APA' },
              { value: 'medical', label: '医学' },
              { value: 'plain', label: '简洁' },
              { value: 'screen', label: '与页面一致' },
            ]}
            value={choices.style}
            onChange={(style) => set({ style })}
          />
        </ExportLine>
      ) : null}
      {format === 'package' ? (
        <ExportLine title="数据">
          <Checkbox checked={choices.data} onChange={(e) => set({ data: e.target.checked })}>
            带上所用变量的原始数据（csv）
          </Checkbox>
        </ExportLine>
      ) : null}
      {format === 'figures' ? <FigureLines choices={choices} set={set} /> : null}
      {hasDpi(choices) ? (
        <ExportLine title="分辨率">
          <Segmented<Choices['dpi']>
            aria-label="分辨率"
            options={[
              { value: 300, label: '300 dpi' },
              { value: 600, label: '600 dpi' },
            ]}
            value={choices.dpi}
            onChange={(dpi) => set({ dpi })}
          />
        </ExportLine>
      ) : null}
      {isPaged(format) ? <PageLines choices={choices} set={set} /> : null}
    </>
  );
}

interface LinesProps {
  choices: Choices;
  set: (part: Partial<Choices>) => void;
}

function FigureLines({ choices, set }: LinesProps) {
  return (
    <>
      <ExportLine title="图的格式">
        <Segmented<Choices['figure']>
          aria-label="图的格式"
          options={[
            { value: 'png', label: 'PNG' },
            { value: 'tiff', label: 'TIFF' },
            { value: 'svg', label: 'SVG' },
            { value: 'pdf', label: 'PDF' },
          ]}
          value={choices.figure}
          onChange={(figure) => set({ figure })}
        />
      </ExportLine>
      <ExportLine title="宽度">
        <Segmented<Choices['mm']>
          aria-label="宽度"
          options={[
            { value: 85, label: '单栏 85 毫米' },
            { value: 140, label: '140 毫米' },
            { value: 180, label: '双栏 180 毫米' },
          ]}
          value={choices.mm}
          onChange={(mm) => set({ mm })}
        />
      </ExportLine>
    </>
  );
}

const MOST = 100;

function PageLines({ choices, set }: LinesProps) {
  const { format, hasCover, contents, school, author, header } = choices;
  return (
    <>
      <ExportLine title="页面">
        <Checkbox checked={hasCover} onChange={(e) => set({ hasCover: e.target.checked })}>
          封面
        </Checkbox>
        {format === 'docx' ? (
          <Checkbox checked={contents} onChange={(e) => set({ contents: e.target.checked })}>
            目录
          </Checkbox>
        ) : null}
      </ExportLine>
      {hasCover ? (
        <>
          <TextLine title="学校或单位" value={school} onChange={(next) => set({ school: next })} />
          <TextLine title="作者" value={author} onChange={(next) => set({ author: next })} />
        </>
      ) : null}
      <TextLine title="页眉" value={header} onChange={(next) => set({ header: next })} />
    </>
  );
}

function TextLine({ title, value, onChange }: { title: string; value: string; onChange: (next: string) => void }) {
  return (
    <ExportLine title={title}>
      <Input
        aria-label={title}
        value={value}
        maxLength={MOST}
        placeholder="可不填"
        onChange={(e) => onChange(e.target.value)}
      />
    </ExportLine>
  );
}

interface BlocksProps {
  blocks: readonly Block[];
  off: ReadonlySet<string>;
  onChange: (off: ReadonlySet<string>) => void;
}

/** Folded, since mostly everything goes out; the count tells when it does not. */
function Blocks({ blocks, off, onChange }: BlocksProps) {
  const [open, setOpen] = useState(false);
  const shown = blocks.filter(({ title }) => !off.has(title)).length;
  const toggle = (title: string, on: boolean): void => {
    const next = new Set(off);
    if (on) next.delete(title);
    else next.add(title);
    onChange(next);
  };
  return (
    <fieldset className={styles['blocks']}>
      <legend>
        <button type="button" className="hx-link" aria-expanded={open} onClick={() => setOpen(!open)}>
          内容：{shown === blocks.length ? '全部' : `${shown} 块，共 ${blocks.length} 块`} {open ? '▾' : '▸'}
        </button>
      </legend>
      {open
        ? blocks.map((block) => (
            <Checkbox
              key={block.title}
              checked={!off.has(block.title)}
              onChange={(e) => toggle(block.title, e.target.checked)}
            >
              {block.title}
            </Checkbox>
          ))
        : null}
    </fieldset>
  );
}
