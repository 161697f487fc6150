/** Opened in a new tab where a method has no document or film (specification section 2). `?method=` names whose. */
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';

import { api, errorText } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

const SLUG = /^[a-z0-9][a-z0-9-]{0,99}$/;
const WISH = { version: 1, verdict: 'no', reason: 'lacking', text: '希望有操作视频' } as const;

export function HelpEmptyPage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const asked = params.get('method') ?? '';
  const slug = SLUG.test(asked) ? asked : null;
  const wish = useMutation({
    mutationFn: (of: string) => api.post('/v1/help/feedback', { slug: of, ...WISH }, { quiet: true }),
  });
  return (
    <div style={{ maxWidth: 720, margin: '0 auto', padding: '64px 24px' }}>
      <EmptyState
        art
        heading
        title="这个方法还没有操作视频"
        hint={
          <>
            图文步骤在帮助页的“操作”一节；也可以用示例数据试一遍。
            {wish.isSuccess ? (
              <span role="status">
                <br />
                谢谢，已记下。
              </span>
            ) : null}
            {wish.error ? (
              <span role="alert">
                <br />
                没有记下：{errorText(wish.error)}
              </span>
            ) : null}
          </>
        }
        actions={
          <>
            <Button type="primary" href={slug === null ? '/help/' : `/help/${slug}/#操作`}>
              看图文步骤
            </Button>
            <Button onClick={() => void navigate('/mydata/index')}>用示例数据试一遍</Button>
            {slug === null || wish.isSuccess ? null : (
              <Button loading={wish.isPending} onClick={() => wish.mutate(slug)}>
                希望有视频
              </Button>
            )}
          </>
        }
      />
    </div>
  );
}
