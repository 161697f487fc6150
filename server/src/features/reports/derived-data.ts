/** Columns that an analysis made become part of the data when their owner says so: a new version, once. */
import type { DataElement } from '@hengxi/contracts/contract';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Column, Step } from '../files/schema.ts';
import type { ReportsContext, Shown } from './context.ts';
import type { DataMade, ReportDocument } from './schema.ts';
import { handOverMade, loadDocument, replaceDocument } from './store.ts';
import type { ListedReport } from './store.ts';

function findData(document: ReportDocument, id: string): DataElement | null {
  for (const element of document.parts.flatMap((part) => part.elements))
    if (element.type === 'data' && element.id === id) return element;
  return null;
}

function withVid(document: ReportDocument, id: string, vid: number): ReportDocument {
  const parts = document.parts.map((part) => ({
    ...part,
    elements: part.elements.map((element) =>
      element.type === 'data' && element.id === id ? { ...element, vid } : element,
    ),
  }));
  return { ...document, parts };
}

/** What was asked, so that the step can be run again on other data. */
function questionOf(document: ReportDocument): Record<string, unknown> {
  const { path, version, form, seed, filter, weight, split, fill_missing: fillMissing } = document;
  return {
    path,
    version,
    form,
    seed,
    filter: filter ? { condition: filter.condition, filter_type: filter.filter_type } : null,
    weight: weight ? { column: weight.column, kind: weight.kind } : null,
    split: split ? { column: split.column, levels: split.levels, total: split.total } : null,
    fill_missing: fillMissing,
  };
}

interface MadeTable extends Omit<Shown, 'kept'> {
  row: ListedReport;
  element: DataElement;
}

export function createDerivedData({ db, files, projects, load, shown }: ReportsContext) {
  /** A whole table becomes a file of its own; the folder changes hands, so a second call finds the file. */
  async function makeFile(actor: Actor, { row, rev, document, made, element }: MadeTable): Promise<DataMade> {
    if (!made) throw new Fault(30601, { text: '这份报告没有保存这张数据表，请重新运行后再试' });
    const step: Step = {
      op: 'data',
      title: `由“${row.title}”生成`,
      changes: [`${element.rows} 行 × ${element.columns.length} 列`],
      params: { rid: row.rid, rev: rev.rev, element: element.id },
    };
    const table = await files.made.look(made);
    return db.transaction(async (tx) => {
      const { vid } = await files.made.make(tx, actor, { name: `${row.title}_${element.title}`, table, step });
      await handOverMade(tx, rev.documentId);
      await replaceDocument(tx, rev.documentId, JSON.stringify(withVid(document, element.id, vid)));
      const text = `${row.title}：把“${element.title}”存为数据文件`;
      await projects.log(tx, row.projectId, { act: 'data', text, rid: row.rid, rev: rev.rev, title: row.title });
      return { vid };
    });
  }

  return {
    async make(
      { owner, userId, ...session }: Actor,
      project: number,
      rid: number,
      elementId: string,
    ): Promise<DataMade> {
      const row = await load(owner, project, rid);
      const { rev, document, kept, made } = await shown(row);
      const element = findData(document, elementId);
      if (!element) throw missing();
      if (element.vid !== null) {
        const known = await files.versions.find(owner, element.vid);
        if (known) return { vid: known.vid };
      }
      if (element.table) return makeFile({ owner, userId, ...session }, { row, rev, document, made, element });
      if (!kept) throw new Fault(30601, { text: '这份报告没有保存可以写入数据的变量，请重新运行后再试' });
      const version = rev.vid === null ? null : await files.versions.find(owner, rev.vid);
      if (!version) throw new Fault(30601, { text: '这份报告所用的数据已经删除，无法写入新变量' });
      const step = (added: Column[]): Step => ({
        op: 'data',
        by: userId,
        title: `由“${row.title}”生成 ${added.length} 个变量`,
        changes: added.map(({ name }) => `新增“${name}”`),
        params: { rid, rev: rev.rev, element: elementId, ...questionOf(document) },
      });
      const columns = element.columns.map(({ id }) => id);
      const { vid } = await files.versions.append(owner, version.vid, { from: kept, columns, step });
      await db.transaction(async (tx) => {
        const stored = await loadDocument(tx, rev.documentId);
        if (stored) await replaceDocument(tx, stored.id, JSON.stringify(withVid(document, elementId, vid)));
        await projects.log(tx, row.projectId, {
          act: 'data',
          text: `${row.title}：把“${element.title}”写入数据`,
          rid,
          rev: rev.rev,
          title: row.title,
        });
      });
      return { vid };
    },
  };
}
