/** 合并多个模型: several regressions of the project in one table, to copy like any other. */
import { combined, type CombineOptions, isModel, ratioOf } from '@hengxi/contracts/report/models';
import { captionOf, toCsv, toHtml, toMarkdown, toText } from '@hengxi/contracts/report/copy';
import { toLatex } from '@hengxi/contracts/report/copy-tex';
import type { TableElement } from '@hengxi/contracts/contract';
import type { CombineExportBody } from '@hengxi/server/report-exports/schema';
import { Button, Segmented } from 'antd';
import { useMemo, useState } from 'react';

import { useExport } from '../../lib/use-export.ts';
import { copyForms, saveFile } from '../../report/clipboard.ts';
import { ThreeLines } from '../../report/table/three-lines.tsx';
import { Words } from '../../report/words.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type Choice, Chooser, useChoices, useChosen, Waiting } from './side-by-side.tsx';
import styles from './side-by-side.module.css';
import { exportCombined, type OpenReport } from './queries.ts';

const MOST = 6;
/** Columns of a combined table are finished texts: nothing of the element is read. */
const NOTHING: TableElement = {
  type: 'table',
  id: 'combined',
  name: 'combined',
  place: 'main',
  title: '',
  at: null,
  layout: 'long',
  turned: false,
  merge: [],
  hidden: false,
  columns: [],
  rows: [],
  depth: [],
  totals: [],
  marks: {},
  matrix: null,
  more: null,
  claim: null,
};

export function CombineDialog({
  report,
  project,
  onClose,
}: {
  report: OpenReport;
  project: number;
  onClose: () => void;
}) {
  const group = report.path.split('/')[0] ?? '';
  const choices = useChoices(report, project, (path) => path.split('/')[0] === group, true);
  const [chosen, setChosen] = useState<Choice[]>(() => choices.slice(0, 1));
  const [options, setOptions] = useState<CombineOptions>({ below: 'se', odds: true, stars: 'usual' });
  const loaded = useChosen(project, chosen);
  const models = useMemo(
    () => (loaded ?? []).map(({ choice, report: one }) => ({ title: choice.name, report: one.document })),
    [loaded],
  );
  const table = useMemo(() => combined(models, options), [models, options]);
  const sheet = useExport((body: CombineExportBody) => exportCombined(project, body));
  const others = models.filter((m) => !isModel(m.report));
  const ratios = [...new Set(models.map((m) => ratioOf(m.report)).filter((ratio) => ratio !== null))];
  return (
    <Dialog open title="合并多个模型" width="wide" onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <Chooser
        choices={choices}
        most={MOST}
        value={chosen}
        onChange={setChosen}
        none="这个项目里还没有第二个回归结果。再做一次回归，或改设置后重新运行，就可以合并。"
      />
      <div className={styles['options']}>
        <Segmented<CombineOptions['below']>
          size="small"
          aria-label="系数下面"
          value={options.below}
          options={[
            { value: 'se', label: '标准误' },
            { value: 'ci', label: '置信区间' },
          ]}
          onChange={(below) => setOptions({ ...options, below })}
        />
        {ratios.length > 0 ? (
          <Segmented<string>
            size="small"
            aria-label="比值还是系数"
            value={options.odds ? 'or' : 'b'}
            options={[
              { value: 'or', label: ratios.join('、') },
              { value: 'b', label: 'B' },
            ]}
            onChange={(value) => setOptions({ ...options, odds: value === 'or' })}
          />
        ) : null}
        <Segmented<CombineOptions['stars']>
          size="small"
          aria-label="星号"
          value={options.stars}
          options={[
            { value: 'usual', label: '* .05 ** .01 *** .001' },
            { value: 'economics', label: '* .1 ** .05 *** .01' },
            { value: 'none', label: '不标星' },
          ]}
          onChange={(stars) => setOptions({ ...options, stars })}
        />
      </div>
      {others.length > 0 ? (
        <p className={styles['hint']}>不是回归的结果不列入：{others.map((m) => m.title).join('、')}。</p>
      ) : null}
      {loaded === null ? <Waiting /> : null}
      {loaded !== null && table === null && choices.length > 1 ? (
        <p className={styles['hint']}>再选一个模型，表就出来。</p>
      ) : null}
      {table === null ? null : (
        <div className={styles['sheet']}>
          <div className={styles['acts']}>
            <Button
              size="small"
              type="primary"
              onClick={() =>
                void copyForms({ html: toHtml(table), text: toText(table) }, '表格已复制，可粘贴到 Word、WPS 或 Excel')
              }
            >
              复制
            </Button>
            <Button
              size="small"
              onClick={() => void copyForms({ html: toHtml(table, 'apa'), text: toText(table) }, 'APA 表格已复制')}
            >
              APA
            </Button>
            <Button size="small" onClick={() => void copyForms({ text: toLatex(table) }, 'LaTeX 已复制')}>
              LaTeX
            </Button>
            <Button size="small" onClick={() => void copyForms({ text: toMarkdown(table) }, 'Markdown 已复制')}>
              Markdown
            </Button>
            <Button
              size="small"
              onClick={() => saveFile(`${captionOf(table)}.csv`, 'text/csv;charset=utf-8', toCsv(table))}
            >
              下载 csv
            </Button>
            <Button
              size="small"
              loading={sheet.state.at === 'working'}
              onClick={() =>
                void sheet.start({
                  models: (loaded ?? []).map(({ choice, report: one }) => ({ rid: choice.rid, rev: one.rev })),
                  options,
                })
              }
            >
              下载 Excel
            </Button>
          </div>
          {sheet.state.at === 'failed' ? (
            <p role="alert" className={styles['hint']}>
              {sheet.state.text}
            </p>
          ) : null}
          {sheet.state.at === 'done' ? (
            <p role="status" className={styles['hint']}>
              {sheet.state.file.name} 已开始下载：系数、标准误和置信区间各占一行，保留全部精度。
            </p>
          ) : null}
          <p className={styles['caption']}>{captionOf(table)}</p>
          <ThreeLines table={NOTHING} grid={table.grid} caption={captionOf(table)} link="combined" />
          <p className={styles['note']}>
            注：
            <Words list={table.notes} />
          </p>
        </div>
      )}
    </Dialog>
  );
}
