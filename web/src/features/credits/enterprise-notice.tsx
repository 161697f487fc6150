/** An enterprise takes no part in credits: said plainly, with the way to the personal version, where it has one. */
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';

import { becomeChannel, channels } from '../../lib/channels.ts';
import { toast } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

export function EnterpriseNotice() {
  const change = useMutation({
    mutationFn: channels,
    onSuccess: ({ pri }) => {
      if (pri.token === null) toast.note('没有可以切换的个人版');
      else becomeChannel(pri.token);
    },
  });
  return (
    <EmptyState
      title="企业版不参与积分活动，可切换到个人版查看"
      hint="切换后两边的数据互不影响，随时可以在个人中心切换回来。"
      actions={
        <Button type="primary" loading={change.isPending} onClick={() => change.mutate()}>
          切换到个人版
        </Button>
      }
    />
  );
}
