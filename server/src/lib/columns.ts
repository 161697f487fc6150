/** Columns that most tables have. */
import { bigint, customType, integer, timestamp } from 'drizzle-orm/pg-core';

export const at = (name: string) => timestamp(name, { withTimezone: true });
export const id = () => integer('id').primaryKey().generatedAlwaysAsIdentity();
/** Bytes, fen, counts: whole numbers far below 2^53. */
export const big = (name: string) => bigint(name, { mode: 'number' });
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
