/** Those who manage an enterprise are told when its storage fills: at 80 and at 100 percent, each once. */
import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from './context.ts';
import { readLimits, storageOf } from './limits.ts';
import { enterprises, members } from './tables.ts';

const STEPS = [80, 100] as const;

export function createStorage({ db, content, persons }: Context) {
  return {
    /** Compares what is stored with what may be, and tells of a step that is new. */
    async look(eid: number): Promise<void> {
      const [row] = await db.select().from(enterprises).where(eq(enterprises.id, eid));
      if (!row) return;
      const most = storageOf(row, await readLimits(db));
      const used = [...(await content.storage(db, eid)).values()].reduce((sum, bytes) => sum + bytes, 0);
      const reached = STEPS.findLast((step) => used * 100 >= most * step) ?? 0;
      if (reached === row.storageTold) return;
      // Below a step again: it is told anew when it fills another time.
      await db.update(enterprises).set({ storageTold: reached }).where(eq(enterprises.id, eid));
      if (reached < row.storageTold) return;
      const text =
        reached === 100
          ? `企业“${row.name}”的存储空间已用满，不能再上传，分析不受影响；请清理数据或增加席位。`
          : `企业“${row.name}”的存储空间已用 80%，用满后不能上传；请清理数据或增加席位。`;
      const managers = await db
        .select({ userId: members.userId })
        .from(members)
        .where(
          and(eq(members.enterpriseId, eid), eq(members.state, 'active'), inArray(members.role, ['owner', 'admin'])),
        );
      for (const { userId } of managers) await persons.tell(userId, text);
    },
  };
}
