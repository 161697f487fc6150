/** Columns that an analysis made become part of the data when their owner says so: a new version, once. */
import type { DataElement } from '@hengxi/contracts/contract';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Column, Step } from '../files/schema.ts';
import type { ReportsContext } from './context.ts';
import type { DataMade, ReportDocument } from './schema.ts';
import { loadDocument, replaceDocument } from './store.ts';

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

export function createMadeData({ db, files, projects, load, shown }: ReportsContext) {
  return {
    async make(owner: Owner, project: number, rid: number, elementId: string): Promise<DataMade> {
      const row = await load(owner, project, rid);
      const { rev, document, kept } = await shown(row);
      const element = findData(document, elementId);
      if (!element) throw missing();
      if (element.vid !== null) {
        const known = await files.versions.find(owner, element.vid);
        if (known) return { vid: known.vid };
      }
      if (!kept) throw new Fault(30601, { text: '这份报告没有保存可以写入数据的变量，请重新运行后再试' });
      const version = rev.vid === null ? null : await files.versions.find(owner, rev.vid);
      if (!version) throw new Fault(30601, { text: '这份报告所用的数据已经删除，无法写入新变量' });
      const step = (added: Column[]): Step => ({
        op: 'data',
        title: `由“${row.title}”生成 ${added.length} 个变量`,
        changes: added.map(({ name }) => `新增“${name}”`),
        params: { rid, rev: rev.rev, element: elementId },
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
