/** Books that must agree: every number here is zero, or somebody has to look. */
import { sql } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';

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
  /** Accounts of credits against their entries and lots. */
  credits: number;
  /** Entries of credits against the lots they filled or took from, and lots against what was taken. */
  credit_lots: number;
  /** Rewards of quests against what was credited for them. */
  quest_rewards: number;
  /** Purchases of the mall against what was paid, came back and was given. */
  mall_orders: number;
  /** Stock of the mall against what was sold. */
  mall_stock: number;
  /** What people did and could not be counted. */
  product_events: number;
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
        OR (NOT v.lifetime AND v.until IS DISTINCT FROM s.until)) AS memberships,
      (SELECT count(*)::int FROM credit_accounts a WHERE NOT EXISTS (
        SELECT 1 FROM credit_entries e WHERE e.user_id = a.user_id
        HAVING coalesce(sum(e.amount), 0) = a.balance AND count(*) = a.last_seq AND coalesce(max(e.seq), 0) = a.last_seq
      ) OR a.balance <> (SELECT coalesce(sum(l.remaining), 0) FROM credit_lots l WHERE l.user_id = a.user_id)) AS credits,
      (SELECT count(*)::int FROM credit_entries e WHERE e.amount <>
        (SELECT coalesce(sum(l.amount), 0) FROM credit_lots l WHERE l.entry_id = e.id)
        - (SELECT coalesce(sum(u.amount), 0) FROM credit_lot_uses u WHERE u.entry_id = e.id))
      + (SELECT count(*)::int FROM credit_lots l WHERE l.remaining <>
        l.amount - (SELECT coalesce(sum(u.amount), 0) FROM credit_lot_uses u WHERE u.lot_id = l.id)) AS credit_lots,
      (SELECT count(*)::int FROM quest_records r FULL JOIN (SELECT * FROM credit_entries WHERE kind = 'quest') e
        ON e.id = r.entry_id WHERE (r.entry_id IS NOT NULL OR e.id IS NOT NULL) AND (r.bonus IS DISTINCT FROM e.amount
        OR r.user_id IS DISTINCT FROM e.user_id)) AS quest_rewards,
      (SELECT count(*)::int FROM mall_orders o
        LEFT JOIN credit_entries p ON p.id = o.entry_id LEFT JOIN credit_entries b ON b.id = o.refund_entry_id
        WHERE p.amount IS DISTINCT FROM -o.credits OR coalesce(b.amount, 0) <> o.returned_credits
        OR (b.id IS NOT NULL AND b.reverses_id IS DISTINCT FROM p.id)
        OR (o.state = 'done') <> CASE o.grant_kind
          WHEN 'vip_days' THEN EXISTS (SELECT 1 FROM vip_grants g WHERE g.source = 'mall' AND g.ref = o.order_no AND g.revoked_at IS NULL)
          WHEN 'algorithm' THEN EXISTS (SELECT 1 FROM method_unlocks m WHERE m.source = 'mall' AND m.ref = o.order_no AND m.revoked_at IS NULL)
          WHEN 'ai_points' THEN (SELECT coalesce(sum(e.gift), 0) > 0 FROM point_entries e
            WHERE e.key IN ('mall:' || o.order_no, 'refund:mall:' || o.order_no))
          ELSE EXISTS (SELECT 1 FROM coupons c WHERE c.note = o.order_no AND c.user_id = o.user_id AND c.state = 'on') END)
      + (SELECT count(*)::int FROM credit_entries e WHERE e.kind = 'mall'
        AND NOT EXISTS (SELECT 1 FROM mall_orders o WHERE o.entry_id = e.id)) AS mall_orders,
      (SELECT count(*)::int FROM mall_items i WHERE i.stock_total IS NOT NULL AND i.stock_total <> i.stock_left +
        (SELECT coalesce(sum(o.quantity), 0) FROM mall_orders o WHERE o.item_id = i.id AND o.state <> 'refunded')) AS mall_stock,
      (SELECT count(*)::int FROM product_events WHERE applied_at IS NULL AND attempts >= 12) AS product_events`);
  // Both drivers answer with `rows`, which their common type does not say.
  const { rows } = answer as { rows: Books[] };
  const [books] = rows;
  if (!books) throw new Error('The books gave no answer');
  return books;
}
