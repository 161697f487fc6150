/** Shapes of taking one's data away and of the product's own events. */
import { z } from 'zod';

export const AccountExport = z.object({
  id: z.number(),
  state: z.enum(['working', 'done', 'failed']),
  /** Things written so far. */
  done: z.number(),
  size: z.number().nullable(),
  created_at: z.string(),
  /** The archive can be downloaded until then; null while it is made. */
  ends_at: z.string().nullable(),
});
export type AccountExport = z.infer<typeof AccountExport>;

/** Names are those of our own code (`page`, `run`, `export_word`), paths without their ids' owners or queries. */
export const Events = z.strictObject({
  events: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
        path: z.string().regex(/^\/[^?#\s]{0,199}$/),
      }),
    )
    .min(1)
    .max(50),
});
export const EventsKept = z.object({ kept: z.number() });
