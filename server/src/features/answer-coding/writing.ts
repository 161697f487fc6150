/** 写回: coded answers become a multiple-answer set of the next version of the data. */
import type { Db } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Step } from '../files/schema.ts';
import type { Files } from '../files/service.ts';
import type { AnswersEngine } from './engine.ts';
import type { CodingWritten, Progress, Written } from './schema.ts';
import * as store from './store.ts';
import type { FoundCoding } from './store.ts';

const counted = (n: number): string => n.toLocaleString('en-US');

export function createWriting({ db, files, answers }: { db: Db; files: Files; answers: AnswersEngine }) {
  return {
    /** `about`: sentences that go with the data, such as how far two coders agreed. */
    async write({ owner, userId }: Actor, coding: FoundCoding, about: string[]): Promise<CodingWritten> {
      const { id, vid, question, book, bookVersion, written } = coding;
      const version = vid === null ? null : await files.versions.find(owner, vid);
      if (!version) throw new Fault(30508, { text: '编码时用的那一版数据已删除，不能写回；码表可以导出' });
      const used = book.filter(({ gone, kind }) => !gone && kind !== 'invalid');
      if (used.length === 0) throw new Fault(30508, { text: '码表里还没有编码，请先新建' });
      const marks = await store.usedMarks(db, coding);
      if (marks.length === 0) throw new Fault(30508, { text: '还没有一条回答有编码，请先编码再写回' });
      const progress = await store.progressOf(db, coding);
      const columns = written?.columns ?? {};
      const kept = new Set(used.map((code) => String(code.id)));
      let set: string | null = null;
      let made: Record<string, string> = {};
      let moved = false;
      const result = await files.versions.extend(owner, version.vid, async (base, key) => {
        const inBase = new Set((await files.versions.columns(owner, base.vid)).map((column) => column.id));
        const isAfter = written !== null && (await files.versions.chain(base)).some((one) => one.vid === written.vid);
        const known = isAfter ? columns : {};
        moved = base.vid === version.vid && version.head !== version.vid;
        const meta = await answers.coded(base.tableKey, {
          table: key,
          of: version.tableKey,
          column: coding.columnId,
          mask: coding.masked,
          codes: used.map((code) => ({
            code: code.id,
            name: `${question}_${code.name}`,
            column: inBase.has(known[String(code.id)] ?? '') ? (known[String(code.id)] ?? null) : null,
          })),
          gone: Object.entries(known).flatMap(([code, column]) => (kept.has(code) ? [] : [column])),
          marks,
          invalid: book.find(({ gone, kind }) => !gone && kind === 'invalid')?.id ?? null,
          set: { id: isAfter ? (written?.set ?? null) : null, name: question },
          sets: base.sets,
        });
        ({ set } = meta);
        made = Object.fromEntries(used.map((code, i) => [String(code.id), meta.ids[i] ?? '']));
        return { meta, step: stepOf(coding, userId, used.length, progress, about) };
      });
      const next: Written = {
        vid: result.vid,
        set,
        columns: made,
        book_version: bookVersion,
        at: new Date().toISOString(),
      };
      await store.updateCoding(db, id, { written: next });
      return { vid: result.vid, columns: used.length, warnings: [...result.warnings, ...warningsOf(progress, moved)] };
    },
  };
}

function stepOf(
  { id, question, bookVersion }: FoundCoding,
  userId: number,
  codes: number,
  progress: Progress,
  about: string[],
): Step {
  return {
    op: 'data',
    by: userId,
    title: `写回“${question}”的编码：${codes} 个变量`,
    changes: [
      `${counted(progress.coded_rows)} 行有编码，${counted(progress.rows - progress.coded_rows)} 行有回答但未编码（作缺失）`,
      `码表第 ${bookVersion} 版，${codes} 个编码`,
      ...about,
    ],
    params: { coding: id, book_version: bookVersion },
  };
}

function warningsOf({ rows, coded_rows: coded }: Progress, moved: boolean): string[] {
  return [
    ...(coded < rows ? [`还有 ${counted(rows - coded)} 行没有编码，写回后是缺失值（8 未编码）`] : []),
    ...(moved ? ['之后的数据增减过行，编码写在编码时用的那一版上'] : []),
  ];
}
