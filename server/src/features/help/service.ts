/** The help centre: what is known of every method, and the texts of its folder, read on demand. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Declaration } from '@hengxi/contracts/contract';
import { UPLOAD_FORMATS } from '@hengxi/contracts/upload-formats';
import { z } from 'zod';
import { missing } from '../../lib/errors.ts';
import type { HelpList, HelpPage, HelpRecord, Statistics } from './schema.ts';

/** What help needs to know of a method. */
export type HelpMethod = Pick<
  Declaration,
  'path' | 'slug' | 'title' | 'title_en' | 'family' | 'tier' | 'purpose' | 'aliases' | 'needs' | 'version' | 'help'
>;

export type Help = ReturnType<typeof createHelp>;

/** `declarationOf` reads the whole declaration of a path. */
export function createHelp(root: string, methods: HelpMethod[], declarationOf: (path: string) => Declaration) {
  const bySlug = new Map(methods.map((method) => [method.slug, method]));
  const folderOf = (method: HelpMethod): string => join(root, 'engine/hengxi/methods', ...method.path.split('/'));
  const find = (slug: string): HelpMethod => {
    const method = bySlug.get(slug);
    if (!method) throw missing();
    return method;
  };

  return {
    async page(slug: string): Promise<HelpPage> {
      const method = find(slug);
      const folder = folderOf(method);
      return {
        slug: method.slug,
        path: method.path,
        title: method.title,
        title_en: method.title_en,
        family: method.family,
        tier: method.tier,
        purpose: method.purpose,
        needs: method.needs ?? '',
        version: method.version,
        record: recordOf(method, folder),
        text: await readIfThere(join(folder, 'help.md')),
        declaration: { ...declarationOf(method.path) },
        oracle: await readOracle(join(folder, 'oracle.json')),
      };
    },

    /** Every method in short, for the help centre. */
    list(): HelpList {
      const list = methods.map(({ slug, path, title, title_en, family, tier, purpose, aliases, needs, version }) => ({
        slug,
        path,
        title,
        title_en,
        family,
        tier,
        purpose,
        aliases,
        needs: needs ?? '',
        version,
      }));
      return { total: list.length, list };
    },

    /** Every method with the text of its page, for searching. */
    texts: () =>
      Promise.all(
        methods.map(async (method) => {
          const { slug, title, aliases, purpose } = method;
          return { slug, title, aliases, purpose, text: await readIfThere(join(folderOf(method), 'help.md')) };
        }),
      ),

    /** The example: a table, or for a method without data a form filled in; 404 where there is none of the kind. */
    async example(slug: string, kind: 'csv' | 'json'): Promise<Buffer> {
      const file = join(folderOf(find(slug)), `example.${kind}`);
      if (!existsSync(file)) throw missing();
      return readFile(file);
    },

    statistics: (): Statistics => ({
      methods: methods.length,
      member_methods: methods.filter((method) => method.tier === 'member').length,
      formats: [...UPLOAD_FORMATS],
    }),
  };
}

const readIfThere = async (file: string): Promise<string> => (existsSync(file) ? readFile(file, 'utf8') : '');

function recordOf(method: HelpMethod, folder: string): HelpRecord {
  const { help } = method;
  return {
    doc_link: help?.doc_link ?? `/help/${method.slug}/`,
    video_link: help?.video_link ?? null,
    iframe_video_link: help?.iframe_video_link ?? null,
    display_name: help?.display_name ?? method.title,
    example_data: help?.example_data ?? (existsSync(join(folder, 'example.csv')) ? `${method.slug}.csv` : null),
  };
}

const Oracle = z.looseObject({
  sources: z.array(z.string()).default([]),
  cases: z.array(
    z.looseObject({
      name: z.string(),
      form: z.unknown().optional(),
      data: z.string().default('example.csv'),
      expect: z.array(z.unknown()).default([]),
      says: z.array(z.unknown()).default([]),
    }),
  ),
});

async function readOracle(file: string): Promise<HelpPage['oracle']> {
  if (!existsSync(file)) return { cases: 0, sources: [], list: [] };
  const { sources, cases } = Oracle.parse(JSON.parse(await readFile(file, 'utf8')));
  const list = cases.map(({ name, data, form, expect, says }) => ({ name, data, form, expect, says }));
  return { cases: list.length, sources, list };
}
