/** Two notices any page may get: an upgrade is needed (20002), and another account has been signed in elsewhere in this browser. */
import { prompts, usePrompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';

export function Notices() {
  const upgrade = usePrompts((state) => state.upgrade);
  const foreign = useSession((state) => state.foreign);
  return (
    <>
      <ConfirmDialog
        open={upgrade !== null}
        title="提示"
        text={upgrade}
        act="立即升级"
        cancel={null}
        onAct={() => {
          prompts.closeUpgrade();
          prompts.openPurchase();
        }}
        onClose={prompts.closeUpgrade}
      />
      <ConfirmDialog
        open={foreign}
        title="提示"
        text="账号已在其他标签页切换"
        act="刷新"
        cancel={null}
        onAct={() => location.reload()}
        onClose={() => location.reload()}
      />
    </>
  );
}
