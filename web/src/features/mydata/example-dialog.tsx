/** Example data of the methods: each opens as a table of one's own. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { methodsQuery } from '../../lib/catalogue.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './example-dialog.module.css';
import { openExample, refreshFiles } from './queries.ts';

export function ExampleDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const methods = useQuery({ ...methodsQuery, enabled: open });
  const navigate = useNavigate();
  const use = useMutation({
    mutationFn: openExample,
    onSuccess: async ({ vid }) => {
      onClose();
      await refreshFiles();
      await navigate(`/mydata/detail/${vid}`);
    },
  });
  return (
    <Dialog open={open} title="示例数据" width="choose" onClose={onClose}>
      {methods.isPending ? <ListSkeleton rows={3} /> : null}
      <ul className={styles['list']}>
        {methods.data?.map((method) => (
          <li key={method.algo_code}>
            <div>
              <b>{method.title}</b>
              <p>{method.purpose}</p>
            </div>
            <Button
              loading={use.isPending && use.variables === method.algo_code}
              disabled={use.isPending}
              onClick={() => use.mutate(method.algo_code)}
              aria-label={`打开${method.title}的示例数据`}
            >
              打开
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
