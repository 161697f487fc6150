/** Copies between the space of a person and that of an enterprise, across the features that keep content. */
import type { Analysis } from '../../features/analysis/service.ts';
import type { Copier } from '../../features/enterprise/service.ts';
import type { CopiedFile, Files } from '../../features/files/service.ts';
import type { Projects } from '../../features/projects/service.ts';
import type { CopiedReport, Rekey, Reports } from '../../features/reports/service.ts';

export interface Keepers {
  analysis: Pick<Analysis, 'keyOn'>;
  files: Files;
  projects: Projects;
  reports: Reports;
}

interface Chapter {
  name: string;
  reports: CopiedReport[];
}

export function createCopier(keepers: () => Keepers): Copier {
  return async (from, to, asked) => {
    const { analysis, files, projects, reports } = keepers();
    const copiedFiles = new Map<number, CopiedFile>();
    const chapters: Chapter[] = [];

    const discard = async (): Promise<void> => {
      for (const one of copiedFiles.values()) await files.copies.discard(one);
      await reports.copies.discard(chapters.flatMap((chapter) => chapter.reports));
    };

    async function addFile(fid: number): Promise<void> {
      if (copiedFiles.has(fid)) return;
      const copy = await files.copies.make(from, fid);
      if (copy) copiedFiles.set(fid, copy);
    }

    /** What was up to date on the original is so on its copy; what was not stays as it is. */
    const rekey: Rekey = async (rev, path) => {
      const version = rev.vid === null ? null : await files.versions.find(from, rev.vid);
      const table = version && copiedFiles.get(version.fid)?.tables.get(version.tableKey);
      if (!version || !table || (await analysis.keyOn(version.tableKey, path, rev)) !== rev.key) return null;
      return analysis.keyOn(table, path, rev);
    };

    async function addReports(name: string, entries: Awaited<ReturnType<Reports['copies']['find']>>): Promise<void> {
      // Reports take the data they stand on along, so that they can be run again.
      for (const fid of reports.copies.filesOf(entries)) await addFile(fid);
      const chapter: Chapter = { name, reports: [] };
      chapters.push(chapter);
      for (const entry of entries) chapter.reports.push(await reports.copies.make(entry, rekey));
    }

    try {
      for (const fid of new Set(asked.files)) await addFile(fid);
      const whole = new Set(asked.projects);
      for (const id of whole) {
        const project = await projects.find(from, id);
        if (project) await addReports(project.name, await reports.copies.find(from, { project: id }));
      }
      const single = (asked.reports.length > 0 ? await reports.copies.find(from, { rids: asked.reports }) : []).filter(
        ({ projectId }) => !whole.has(projectId),
      );
      for (const id of new Set(single.map(({ projectId }) => projectId))) {
        const project = await projects.find(from, id);
        if (project)
          await addReports(
            project.name,
            single.filter(({ projectId }) => projectId === id),
          );
      }
      if (copiedFiles.size === 0 && chapters.length === 0) return null;
      await files.copies.demandRoom(to, [...copiedFiles.values()]);
    } catch (error) {
      await discard();
      throw error;
    }

    return {
      files: [...copiedFiles.values()].map(({ file }) => file.name),
      projects: chapters.map(({ name }) => name),
      reports: chapters.reduce((sum, chapter) => sum + chapter.reports.length, 0),
      discard,
      async store(tx, origin) {
        const maps = { fids: new Map<number, number>(), vids: new Map<number, number>() };
        for (const [fid, copy] of copiedFiles) {
          const stored = await files.copies.store(tx, to, copy);
          maps.fids.set(fid, stored.fid);
          for (const [vid, made] of stored.vids) maps.vids.set(vid, made);
        }
        const copiedIds: number[] = [];
        for (const chapter of chapters) {
          const id = await projects.copied(tx, to, chapter.name, `复制自${origin}`);
          copiedIds.push(id);
          for (const one of chapter.reports) await reports.copies.store(tx, to, id, one, maps);
        }
        return { files: [...maps.fids.values()], projects: copiedIds };
      },
    };
  };
}
