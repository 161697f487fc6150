/** 导出: the format, what it needs to know, the making, the download. 520 px. */
import type { ExportBody } from '@hengxi/server/exports/schema';
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Segmented } from 'antd';
import { useState } from 'react';

import { versionQuery } from '../../../lib/catalogue.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { useExport } from '../../../lib/use-export.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { ExportChoices, ExportDialog, ExportFormats, ExportLine } from '../../../ui/export-dialog.tsx';
import { bodyOf, type Choices, FIRST, FORMATS, hasCells } from './choices.ts';
import styles from './export-dialog.module.css';
import { exportCheckQuery, startExport } from './queries.ts';

export function VersionExportDialog({ vid, onClose }: { vid: number; onClose: () => void }) {
  const version = useQuery(versionQuery(vid)).data;
  const [choices, setChoices] = useState<Choices>(FIRST);
  const control = useExport((body: ExportBody) => startExport(vid, body));
  return (
    <ExportDialog
      title={version ? `导出“${version.name}”` : '导出'}
      control={control}
      said={(rows) => `${formatCount(rows)} 行`}
      actions={
        <Button type="primary" disabled={!version} onClick={() => void control.start(bodyOf(choices))}>
          导出
        </Button>
      }
      onClose={onClose}
    >
      {version ? <Choose version={version} choices={choices} onChange={setChoices} /> : null}
    </ExportDialog>
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
    <ExportChoices>
      <ExportFormats formats={FORMATS} value={format} onChange={(next) => set({ format: next })} />
      {hasCells(format) ? (
        <ExportLine title="单元格">
          <Segmented<Choices['cells']>
            aria-label="单元格"
            options={[
              { value: 'values', label: '值' },
              { value: 'labels', label: '标签' },
            ]}
            value={choices.cells}
            onChange={(cells) => set({ cells })}
          />
        </ExportLine>
      ) : null}
      {format === 'csv' ? (
        <ExportLine title="编码">
          <Segmented<Choices['encoding']>
            aria-label="编码"
            options={[
              { value: 'utf-8-sig', label: 'UTF-8' },
              { value: 'gb18030', label: 'GB18030' },
            ]}
            value={choices.encoding}
            onChange={(encoding) => set({ encoding })}
          />
        </ExportLine>
      ) : null}
      {format === 'codebook' ? (
        <ExportLine title="文件">
          <Segmented<Choices['sheet']>
            aria-label="文件"
            options={[
              { value: 'xlsx', label: 'xlsx' },
              { value: 'csv', label: 'csv' },
            ]}
            value={choices.sheet}
            onChange={(sheet) => set({ sheet })}
          />
        </ExportLine>
      ) : null}
      {filter && format !== 'codebook' ? (
        <Checkbox checked={choices.filtered} onChange={(event) => set({ filtered: event.target.checked })}>
          只导出筛选后的 {formatCount(filter.filter_count)} 行（共 {formatCount(version.rows)} 行）
        </Checkbox>
      ) : null}
      {format === 'csv' ? <Formulas version={version} choices={choices} set={set} /> : null}
    </ExportChoices>
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
