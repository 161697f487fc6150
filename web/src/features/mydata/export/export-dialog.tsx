/** 导出: the format, what it needs to know, the making, the download. 520 px. */
import type { ExportBody, ExportFormat } from '@hengxi/server/exports/schema';
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Radio, Segmented } from 'antd';
import { type ReactNode, useState } from 'react';

import { versionQuery } from '../../../lib/catalogue.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { useExport } from '../../../lib/use-export.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { MadeFile, Working } from '../../../ui/export-progress.tsx';
import { bodyOf, type Choices, FIRST, FORMATS, hasCells } from './choices.ts';
import styles from './export-dialog.module.css';
import { exportCheckQuery, startExport } from './queries.ts';

export function ExportDialog({ vid, onClose }: { vid: number; onClose: () => void }) {
  const version = useQuery(versionQuery(vid)).data;
  const [choices, setChoices] = useState<Choices>(FIRST);
  const { state, start, download, back, cancel } = useExport((body: ExportBody) => startExport(vid, body));
  const close = () => {
    cancel();
    onClose();
  };
  const footer: Record<typeof state.at, ReactNode> = {
    choosing: (
      <>
        <Button onClick={close}>取消</Button>
        <Button type="primary" disabled={!version} onClick={() => void start(bodyOf(choices))}>
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
      title={version ? `导出“${version.name}”` : '导出'}
      width="choose"
      onClose={close}
      outsideCloses={state.at !== 'working'}
      footer={footer[state.at]}
    >
      {state.at === 'choosing' && version ? <Choose version={version} choices={choices} onChange={setChoices} /> : null}
      {state.at === 'working' ? <Working share={state.share} text={state.text} /> : null}
      {state.at === 'done' ? (
        <MadeFile
          file={state.file}
          said={`${formatCount(state.file.rows)} 行`}
          onDownload={() => void download(state.runId)}
        />
      ) : null}
      {state.at === 'failed' ? (
        <p role="alert" className={styles['fault']}>
          <CheckMark state="fail" decorative /> {state.text}
        </p>
      ) : null}
    </Dialog>
  );
}

interface ChooseProps {
  version: Version;
  choices: Choices;
  onChange: (choices: Choices) => void;
}

function Choose({ version, choices, onChange }: ChooseProps) {
  const set = (part: Partial<Choices>) => onChange({ ...choices, ...part });
  const { filter } = version.active;
  const { format } = choices;
  return (
    <div className={styles['choose']}>
      <Radio.Group
        aria-label="格式"
        className={styles['formats']}
        value={format}
        onChange={(event) => {
          const chosen: ExportFormat = event.target.value;
          set({ format: chosen });
        }}
      >
        {FORMATS.map(({ key, title, hint }) => (
          <Radio key={key} value={key}>
            <span className={styles['title']}>{title}</span>
            <span className={styles['hint']}>{hint}</span>
          </Radio>
        ))}
      </Radio.Group>
      {hasCells(format) ? (
        <Line title="单元格">
          <Segmented<Choices['cells']>
            aria-label="单元格"
            options={[
              { value: 'values', label: '值' },
              { value: 'labels', label: '标签' },
            ]}
            value={choices.cells}
            onChange={(cells) => set({ cells })}
          />
        </Line>
      ) : null}
      {format === 'csv' ? (
        <Line title="编码">
          <Segmented<Choices['encoding']>
            aria-label="编码"
            options={[
              { value: 'utf-8-sig', label: 'UTF-8' },
              { value: 'gb18030', label: 'GB18030' },
            ]}
            value={choices.encoding}
            onChange={(encoding) => set({ encoding })}
          />
        </Line>
      ) : null}
      {format === 'codebook' ? (
        <Line title="文件">
          <Segmented<Choices['sheet']>
            aria-label="文件"
            options={[
              { value: 'xlsx', label: 'xlsx' },
              { value: 'csv', label: 'csv' },
            ]}
            value={choices.sheet}
            onChange={(sheet) => set({ sheet })}
          />
        </Line>
      ) : null}
      {filter && format !== 'codebook' ? (
        <Checkbox checked={choices.filtered} onChange={(event) => set({ filtered: event.target.checked })}>
          只导出筛选后的 {formatCount(filter.filter_count)} 行（共 {formatCount(version.rows)} 行）
        </Checkbox>
      ) : null}
      {format === 'csv' ? <Formulas version={version} choices={choices} set={set} /> : null}
    </div>
  );
}

function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['line']}>
      <span>{title}</span>
      {children}
    </div>
  );
}

/** Texts that a spreadsheet would take for formulas: told with their count, changed only as ticked. */
function Formulas({
  version,
  choices,
  set,
}: {
  version: Version;
  choices: Choices;
  set: (part: Partial<Choices>) => void;
}) {
  const filter = choices.filtered ? version.active.filter : null;
  const check = useQuery(exportCheckQuery(version.vid, filter)).data;
  const count = check?.formulas[choices.cells] ?? 0;
  if (!check || count === 0) return null;
  const where =
    check.columns.length > 0
      ? `（${check.columns.slice(0, 3).map(short).join('、')}${check.columns.length > 3 ? '等' : ''}）`
      : '';
  return (
    <div className={styles['care']}>
      <p>
        <CheckMark state="care" decorative /> {formatCount(count)} 个文本单元格以 = + - @ 开头{where}
        ，在表格软件中可能被当作公式执行。
      </p>
      <Checkbox checked={choices.quote} onChange={(event) => set({ quote: event.target.checked })}>
        前面加单引号
      </Checkbox>
    </div>
  );
}

/** A name for a sentence: a whole question would drown it. */
function short(name: string): string {
  const letters = Array.from(name);
  return letters.length > 16 ? `${letters.slice(0, 16).join('')}…` : name;
}
