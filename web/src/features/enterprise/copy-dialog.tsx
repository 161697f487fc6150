/** 复制到企业 and 复制到个人空间: where to, what comes along, and what went wrong, without leaving the page. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useId, useState } from 'react';
import { Link } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { useMe } from '../../lib/me.ts';
import { type CopyAsk, prompts } from '../../lib/prompts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './enterprise.module.css';
import { copyContent, mineQuery, reload } from './queries.ts';
import { STATES } from './words.ts';

export function CopyDialog({ asked }: { asked: CopyAsk }) {
  const id = useId();
  const me = useMe();
  const here = me?.identity === 2 ? me.enterprise[0] : undefined;
  const mine = useQuery({ ...mineQuery, enabled: here === undefined });
  const working = (mine.data?.list ?? []).filter(({ state }) => ['trial', 'active', 'grace'].includes(state));
  const [chosen, setChosen] = useState<number | null>(null);
  const eid = here?.id ?? chosen ?? working[0]?.id ?? null;
  const copy = useMutation({
    mutationFn: (to: number) => {
      const { files = [], projects = [], reports = [] } = asked;
      return copyContent(to, { to: here ? 'personal' : 'enterprise', files, projects, reports });
    },
    onSuccess: async ({ files, projects, reports }, to) => {
      const parts = [
        files.length > 0 ? `${files.length} 份数据` : '',
        projects.length > 0 ? `${projects.length} 个项目` : '',
        reports > 0 ? `${reports} 份报告` : '',
      ];
      prompts.closeCopy();
      toast.done(`已复制${here ? '到个人空间' : '到企业'}：${parts.filter(Boolean).join('、')}`);
      await Promise.all([reload(to), queryClient.invalidateQueries({ queryKey: ['enterprise-copies'] })]);
    },
  });
  const isNobodys = here === undefined && mine.data !== undefined && working.length === 0;
  return (
    <Dialog
      open
      title={here ? '复制到个人空间' : '复制到企业'}
      width="form"
      onClose={prompts.closeCopy}
      footer={
        <>
          <Button onClick={prompts.closeCopy}>{isNobodys ? '关闭' : '取消'}</Button>
          {isNobodys ? null : (
            <Button
              type="primary"
              disabled={eid === null}
              loading={copy.isPending}
              onClick={() => {
                if (eid !== null) copy.mutate(eid);
              }}
            >
              复制
            </Button>
          )}
        </>
      }
    >
      {here ? (
        <CopySummary asked={asked} note={`副本归您个人，与企业“${here.name}”的原件互不影响；复制会写入企业日志。`} />
      ) : (
        <Loaded query={mine}>
          {() =>
            isNobodys ? (
              <p>
                您还没有加入可以使用的企业。
                <Link to="/enterprise?all=1" onClick={prompts.closeCopy}>
                  了解企业版
                </Link>
              </p>
            ) : (
              <div className={styles['form']}>
                {working.length > 1 ? (
                  <label className={styles['label']} htmlFor={id}>
                    <span>复制到哪个企业</span>
                    <Select
                      id={id}
                      value={eid}
                      options={working.map((one) => ({ value: one.id, label: `${one.name}（${STATES[one.state]}）` }))}
                      onChange={setChosen}
                    />
                  </label>
                ) : null}
                <CopySummary
                  asked={asked}
                  note={`副本归企业“${working.find((one) => one.id === eid)?.name ?? ''}”所有，默认只有您可见；个人空间的原件不变。`}
                />
              </div>
            )
          }
        </Loaded>
      )}
      {copy.error ? (
        <p role="alert" className={styles['fault']}>
          {errorText(copy.error)}
        </p>
      ) : null}
    </Dialog>
  );
}

function CopySummary({ asked, note }: { asked: CopyAsk; note: string }) {
  const { name, files = [] } = asked;
  return (
    <>
      <p>
        {files.length > 0
          ? `复制“${name}”的全部版本和处理步骤。`
          : `复制“${name}”，连同它用到的数据；已保存的模型和外部分享链接不随副本走。`}
      </p>
      <p className={styles['quiet']}>{note}</p>
    </>
  );
}
