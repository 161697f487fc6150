/**
 * 复现包: what somebody else needs to compute a report again and to compare every number: settings, versions, seed, the
 * variables and their data, the tables, the report itself at full precision, and a script that has the platform's engine
 * compute it and compare the numbers. The engine does the work (hengxi/reproduce.py): no other prints these very reports.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Block, Chapter } from '@hengxi/contracts/report/blocks';
import { date, integer } from '@hengxi/contracts/format';
import { analysedText } from '@hengxi/contracts/report/sample';
import { zipSync } from 'fflate';
import type { Job, PackedData, Tell } from './job.ts';
import { writeXlsx } from './xlsx.ts';

type Files = Record<string, Uint8Array>;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): Uint8Array => bytesOf(`${JSON.stringify(value, null, 2)}\n`);

export async function writePackage(
  job: Job,
  { chapters, blocks }: { chapters: readonly Chapter[]; blocks: readonly Block[] },
  tell: Tell,
): Promise<Uint8Array> {
  const files: Files = {};
  for (const [i, chapter] of chapters.entries()) {
    const data = job.data[i] ?? null;
    const folder = chapters.length === 1 ? '' : `报告${i + 1}/`;
    files[`${folder}设置.json`] = json(settingsOf(chapter, data));
    files[`${folder}报告.json`] = json(chapter.report);
    if (data !== null) files[`${folder}变量.json`] = json(data.columns.map(describedColumn));
    if (data?.path) files[`${folder}数据.csv`] = new Uint8Array(await readFile(data.path));
    tell(i + 1, chapters.length + 1, chapter.title);
  }
  files['结果表.xlsx'] = await writeXlsx(job, blocks, () => undefined);
  files['复现.py'] = bytesOf(SCRIPT);
  files['依赖.txt'] = bytesOf(lockOf(chapters));
  files['说明.md'] = bytesOf(readme(job, chapters, Object.keys(files)));
  files['校验和.txt'] = bytesOf(sumsOf(files));
  return zipSync(files, { level: 6 });
}

/** All that decides the numbers. */
function settingsOf({ report, title, madeAt }: Chapter, data: PackedData | null): unknown {
  return {
    title,
    made_at: madeAt,
    method: report.method,
    form: report.form,
    roles: report.roles,
    filter: report.filter,
    split: report.split,
    weight: report.weight,
    fill_missing: report.fill_missing,
    seed: report.seed,
    libraries: report.libraries,
    sample: report.sample,
    stopped: report.stopped,
    data: data === null ? null : { vid: data.vid, file: data.name, version: data.number, rows: data.rows },
  };
}

type PackedColumn = PackedData['columns'][number];

function describedColumn({
  id,
  name,
  label,
  measure,
  ordered,
  flags,
  storage,
  unit,
  levels,
  missing,
}: PackedColumn): unknown {
  return { id, name, label, measure, ordered, flags, storage, unit, levels, missing };
}

const SCRIPT = `"""重新计算本包里的报告，并逐个核对数字：python 复现.py

需要衡析的引擎（Python 包 hengxi）；它和统计库的版本见 依赖.txt。
"""

import sys
from pathlib import Path

try:
    from hengxi.reproduce import reproduce
except ModuleNotFoundError as missing:
    sys.exit(f"缺少 {missing.name}：请在装有衡析引擎的 Python 环境中运行（hengxi 在 PYTHONPATH 里）")

sys.exit(reproduce(Path(__file__).resolve().parent))
`;

/** Versions as `pip install -r` reads them; what no package index has is a remark. */
function lockOf(chapters: readonly Chapter[]): string {
  const versions = new Map(chapters.flatMap(({ report }) => Object.entries(report.libraries)));
  const lines = [...versions].map(([name, version]) =>
    name === 'hengxi' || name === 'python' ? `# ${name} ${version}` : `${name}==${version}`,
  );
  return `${lines.join('\n')}\n`;
}

/** As `sha256sum -c` reads them. */
function sumsOf(files: Files): string {
  const lines = Object.entries(files).map(
    ([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}`,
  );
  return `${lines.join('\n')}\n`;
}

const CONTENTS: readonly [string, string][] = [
  ['设置.json', '方法及其版本、全部选项、筛选、拆分、加权、缺失处理、随机种子、引擎与统计库的版本、数据版本、样本量'],
  ['变量.json', '所用变量的名称、标签、测量类型、取值标签和缺失码'],
  ['数据.csv', '所用变量的全部行（含被筛选掉的行），数值和代码照原样；UTF-8'],
  ['报告.json', '完整的报告：每个数字保留全部精度，每句结论带着它引用的数字'],
  ['复现.py', '重新计算报告并逐个核对数字的脚本，由衡析的引擎执行'],
  ['依赖.txt', '计算时引擎、Python 与统计库的版本'],
  ['结果表.xlsx', '报告里的表，一张表一个工作表，单元格里是未取整的数字'],
  ['校验和.txt', '每个文件的 SHA-256，可用 sha256sum -c 校验和.txt 核对'],
];

function readme(job: Job, chapters: readonly Chapter[], names: readonly string[]): string {
  const has = (name: string): boolean =>
    name === '校验和.txt' || names.some((own) => own === name || own.endsWith(`/${name}`));
  const files = CONTENTS.filter(([name]) => has(name)).map(([name, what]) => `- \`${name}\`：${what}。`);
  return [
    `# ${job.title}：复现包`,
    '',
    `由衡析在 ${job.date} 导出。这里有重新算出下列报告、并逐个核对数字所需要的东西。`,
    '',
    ...chapters.flatMap((chapter, i) =>
      chapterLines(chapter, job.data[i] ?? null, chapters.length === 1 ? '' : `报告${i + 1}：`),
    ),
    '## 文件',
    '',
    ...(chapters.length === 1 ? [] : ['每份报告的文件在各自的文件夹里。', '']),
    ...files,
    '',
    '## 怎样复现',
    '',
    ...(has('数据.csv')
      ? [
          '有衡析引擎的人运行 `python 复现.py`：它只读本包里的文件，用同样的设置重新计算，逐个核对数字，不同的逐条列出；用到已保存的模型的报告除外。没有引擎时在网页上手工复现：',
          '',
        ]
      : []),
    has('数据.csv')
      ? '1. 在衡析导入 `数据.csv`，按 `变量.json` 核对测量类型、取值标签和缺失码。'
      : '1. 在衡析打开 `设置.json` 里写明的那一版数据（本包没有带数据）。',
    '2. 选择 `设置.json` 里的方法，照 `form` 填入变量和选项，设好筛选、拆分、加权与随机种子。',
    '3. 运行后与 `报告.json` 或 `结果表.xlsx` 逐个比较。方法版本和统计库版本相同，数字应当相同；版本不同时，只应在最后几位上有出入。',
    '',
    '用其他软件复算时，请看报告里“方法说明与引用”列出的约定：它写明了标准差的分母、置信区间的算法、检验的自由度等选择。',
    '',
  ].join('\n');
}

function chapterLines({ report, title, madeAt }: Chapter, data: PackedData | null, head: string): string[] {
  const libraries = Object.entries(report.libraries).map(([name, version]) => `${name} ${version}`);
  return [
    `## ${head}${title}`,
    '',
    `- 方法：${report.method.title}（\`${report.method.path}\`）第 ${report.method.version} 版`,
    ...(madeAt === null ? [] : [`- 生成：${date(madeAt, true)}`]),
    data === null
      ? '- 数据：所用的数据已经删除'
      : `- 数据：${data.name} 第 ${data.number} 版，${integer(data.rows)} 行`,
    ...(data !== null && data.path === null ? [`- ${withoutCells(data)}`] : []),
    `- 样本：${analysedText(report.sample)}`,
    ...(report.filter === null ? [] : [`- 筛选：${report.filter.text}`]),
    `- 随机种子：${report.seed ?? '没有用到'}`,
    `- 版本：${libraries.join('，')}`,
    '',
  ];
}

const withoutCells = ({ columns }: PackedData): string =>
  columns.length === 0 ? '报告没有用到哪一列变量，不附数据' : '未附数据：导出时没有选择带上，或行数超过一百万';
