/** A method's help page, put together from its declaration and its folder. */
import { z } from 'zod';

/** The help-link record of the specification. */
export const HelpRecord = z.object({
  doc_link: z.string().nullable(),
  video_link: z.string().nullable(),
  iframe_video_link: z.string().nullable(),
  display_name: z.string(),
  example_data: z.string().nullable(),
});
export type HelpRecord = z.infer<typeof HelpRecord>;

/** One case whose numbers were made by another program; as the method's folder states it. */
export const OracleCase = z.object({
  name: z.string(),
  /** File of the table that was used. */
  data: z.string(),
  form: z.unknown(),
  /** Cells that must agree, each addressed by table and row. */
  expect: z.array(z.unknown()),
  /** Sentences that must appear: a part of the text, or {contains, facts}. */
  says: z.array(z.unknown()),
});

export const HelpPage = z.object({
  slug: z.string(),
  path: z.string(),
  title: z.string(),
  title_en: z.string(),
  family: z.string(),
  tier: z.string(),
  purpose: z.string(),
  needs: z.string(),
  version: z.union([z.number(), z.string()]),
  record: HelpRecord,
  /** Markdown of the method's help.md. */
  text: z.string(),
  /** The method's declaration as generated from the engine. */
  declaration: z.record(z.string(), z.unknown()),
  oracle: z.object({ cases: z.number(), sources: z.array(z.string()), list: z.array(OracleCase) }),
});
export type HelpPage = z.infer<typeof HelpPage>;

export const HelpList = z.object({
  total: z.number(),
  list: z.array(
    z.object({
      slug: z.string(),
      path: z.string(),
      title: z.string(),
      title_en: z.string(),
      family: z.string(),
      tier: z.string(),
      purpose: z.string(),
      aliases: z.array(z.string()),
      needs: z.string(),
      version: z.union([z.number(), z.string()]),
    }),
  ),
});
export type HelpList = z.infer<typeof HelpList>;

export const HelpSlug = z.object({ slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/) });

export const Statistics = z.object({ methods: z.number(), member_methods: z.number(), formats: z.array(z.string()) });
export type Statistics = z.infer<typeof Statistics>;
