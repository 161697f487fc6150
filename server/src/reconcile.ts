/** Books that must agree: every number here is zero, or somebody has to look. */
import { sql } from 'drizzle-orm';
import type { Db } from './lib/db.ts';

export interface Books {
  /** Accounts of AI points against their entries. */
  points: number;
  /** Coupons against their uses. */
  coupons: number;
  /** Paid orders against payments. */
  orders: number;
  /** Paid orders of days against what they gave. */
  grants: number;
  /** Ends of memberships against the grants they are made of. */
  memberships: number;
}

export async function reconcile(db: Db): Promise<Books> {
  const answer: unknown = await db.execute(sql`
    SELECT
      (SELECT count(*)::int FROM point_accounts a WHERE NOT EXISTS (
        SELECT 1 FROM point_entries e WHERE e.owner_kind = a.owner_kind AND e.owner_id = a.owner_id
        HAVING coalesce(sum(e.gift), 0) = a.gift AND coalesce(sum(e.paid), 0) = a.paid AND count(*) = a.last_seq
      )) AS points,
      (SELECT count(*)::int FROM coupons c WHERE c.uses <>
        (SELECT count(*) FROM coupon_uses u WHERE u.coupon_id = c.id AND u.state <> 'released')) AS coupons,
      (SELECT count(*)::int FROM orders o WHERE o.total > 0 AND (o.state IN ('paid', 'refunded')) <>
        EXISTS (SELECT 1 FROM payments p WHERE p.order_no = o.order_no AND p.outcome = 'applied')) AS orders,
      (SELECT count(*)::int FROM orders o WHERE o.kind IN ('vip', 'edu', 'combo') AND (o.state = 'paid') <>
        EXISTS (SELECT 1 FROM vip_grants g WHERE g.source = 'order' AND g.ref = o.order_no AND g.revoked_at IS NULL)) AS grants,
      (SELECT count(*)::int FROM vip_accounts v LEFT JOIN LATERAL (
        SELECT bool_or(g.lifetime) AS lifetime, max(g.ends_at) AS until
        FROM vip_grants g WHERE g.user_id = v.user_id AND g.revoked_at IS NULL
      ) s ON true WHERE v.lifetime <> coalesce(s.lifetime, false)
        OR (NOT v.lifetime AND v.until IS DISTINCT FROM s.until)) AS memberships`);
  // Both drivers answer with `rows`, which their common type does not say.
  const { rows } = answer as { rows: Books[] };
  const [books] = rows;
  if (!books) throw new Error('The books gave no answer');
  return books;
}
