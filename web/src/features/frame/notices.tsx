/** Two notices any page may get: an upgrade is needed (20002), and another account has been signed in elsewhere in this browser. */
import { Button } from 'antd';

import { prompts, usePrompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';

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
      {/* Nothing but a reload goes on from here, so nothing else closes it. */}
      <Dialog
        open={foreign}
        title="账号已在其他标签页切换"
        width="confirm"
        closable={false}
        outsideCloses={false}
        onClose={() => undefined}
        footer={
          <Button type="primary" onClick={() => location.reload()}>
            刷新
          </Button>
        }
      >
        本页还是原来账号的内容，不能再操作。刷新后显示现在登录的账号。
      </Dialog>
    </>
  );
}
