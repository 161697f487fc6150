/** 导出报告: the format with what it needs to know, which blocks, the making, the download. 520 px. */
import type { ProjectExportBody, ReportExportBody } from '@hengxi/server/report-exports/schema';
import type { Run } from '@hengxi/server/runs/schema';
import { Button, Checkbox, Input, Radio, Segmented } from 'antd';
import type { Chapter } from '@hengxi/contracts/report/blocks';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';

import { useExport } from '../../lib/use-export.ts';
import { CheckMark } from '../../ui/check-mark.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MadeFile, Working } from '../../ui/export-progress.tsx';
import { ReportSkeleton } from '../../ui/skeleton.tsx';
import { bodyOf, type Choices, FIRST, FORMATS, hasDpi, hasStyle, isPaged } from './export-choices.ts';
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
  /** Chosen already by a tool of a block: the work begins at once. */
  chosen?: { choices: Choices; blocks: string[] } | undefined;
  onClose: () => void;
}

export function ReportExportDialog(props: ReportExportDialogProps) {
  const { title, blocks, begin, chapter, style, chosen, onClose } = props;
  const [looking, setLooking] = useState(false);
  const [choices, setChoices] = useState<Choices>(chosen?.choices ?? { ...FIRST, style: style ?? FIRST.style });
  const [off, setOff] = useState<ReadonlySet<string>>(new Set(blocks.filter((b) => b.own).map((b) => b.title)));
  const { state, start, download, back, cancel } = useExport(begin);
  const kept = blocks.filter((b) => !off.has(b.title));
  const close = (): void => {
    cancel();
    onClose();
  };
  const ids = kept.length === blocks.length && !blocks.some((b) => b.own) ? null : kept.flatMap((b) => b.ids);
  const beginChosen = useEffectEvent(() => {
    if (chosen !== undefined) void start(bodyOf(chosen.choices, chosen.blocks));
  });
  useEffect(() => beginChosen(), []);
  const isEmpty = blocks.length > 0 && kept.length === 0;
  const footer: Record<typeof state.at, ReactNode> = {
    choosing: (
      <>
        {looking ? <Button onClick={() => setLooking(false)}>返回修改</Button> : <Button onClick={close}>取消</Button>}
        {looking || chapter === undefined ? null : (
          <Button disabled={isEmpty} onClick={() => setLooking(true)}>
            预览
          </Button>
        )}
        <Button type="primary" disabled={isEmpty} onClick={() => void start(bodyOf(choices, ids))}>
          导出
        </Button>
      </>
    ),
    working: <Button onClick={close}>取消导出</Button>,
    done: (
      <>
        <Button onClick={back}>换一种格式</Button>
        <Button type="primary" onClick={close}>
          完成
        </Button>
      </>
    ),
    failed: (
      <Button type="primary" onClick={back}>
        返回
      </Button>
    ),
  };
  return (
    <Dialog
      open
      title={title}
      width={looking && state.at === 'choosing' ? 'wide' : 'choose'}
      onClose={close}
      outsideCloses={state.at !== 'working'}
      footer={footer[state.at]}
    >
      {state.at === 'choosing' && looking && chapter !== undefined ? (
        <Suspense fallback={<ReportSkeleton />}>
          <ExportPreview chapter={chapter} asked={bodyOf(choices, ids)} />
        </Suspense>
      ) : null}
      {state.at === 'choosing' && !looking ? (
        <div className={styles['choose']}>
          <Formats choices={choices} onChange={setChoices} />
          {blocks.length > 0 ? <Blocks blocks={blocks} off={off} onChange={setOff} /> : null}
        </div>
      ) : null}
      {state.at === 'working' ? <Working share={state.share} text={state.text} /> : null}
      {state.at === 'done' ? <MadeFile file={state.file} onDownload={() => void download(state.runId)} /> : null}
      {state.at === 'failed' ? (
        <p role="alert" className={styles['fault']}>
          <CheckMark state="fail" decorative /> {state.text}
        </p>
      ) : null}
    </Dialog>
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
      <Radio.Group
        aria-label="格式"
        className={styles['formats']}
        value={format}
        onChange={(event) => {
          const next: Choices['format'] = event.target.value;
          set({ format: next });
        }}
      >
        {FORMATS.map(({ key, title, hint }) => (
          <Radio key={key} value={key}>
            <span className={styles['title']}>{title}</span>
            <span className={styles['hint']}>{hint}</span>
          </Radio>
        ))}
      </Radio.Group>
      {hasStyle(format) ? (
        <Line title="表格样式">
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
        </Line>
      ) : null}
      {format === 'package' ? (
        <Line title="数据">
          <Checkbox checked={choices.data} onChange={(e) => set({ data: e.target.checked })}>
            带上所用变量的原始数据（csv）
          </Checkbox>
        </Line>
      ) : null}
      {format === 'figures' ? <FigureLines choices={choices} set={set} /> : null}
      {hasDpi(choices) ? (
        <Line title="分辨率">
          <Segmented<Choices['dpi']>
            aria-label="分辨率"
            options={[
              { value: 300, label: '300 dpi' },
              { value: 600, label: '600 dpi' },
            ]}
            value={choices.dpi}
            onChange={(dpi) => set({ dpi })}
          />
        </Line>
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
      <Line title="图的格式">
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
      </Line>
      <Line title="宽度">
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
      </Line>
    </>
  );
}

const MOST = 100;

function PageLines({ choices, set }: LinesProps) {
  const { format, hasCover, contents, school, author, header } = choices;
  return (
    <>
      <Line title="页面">
        <Checkbox checked={hasCover} onChange={(e) => set({ hasCover: e.target.checked })}>
          封面
        </Checkbox>
        {format === 'docx' ? (
          <Checkbox checked={contents} onChange={(e) => set({ contents: e.target.checked })}>
            目录
          </Checkbox>
        ) : null}
      </Line>
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
    <Line title={title}>
      <Input
        aria-label={title}
        value={value}
        maxLength={MOST}
        placeholder="可不填"
        onChange={(e) => onChange(e.target.value)}
      />
    </Line>
  );
}

function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['line']}>
      <span>{title}</span>
      <div>{children}</div>
    </div>
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
          内容：{off.size === 0 ? '全部' : `${blocks.length - off.size} 块，共 ${blocks.length} 块`} {open ? '▾' : '▸'}
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
