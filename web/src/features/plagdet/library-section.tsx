/** The own library: documents join it by consent only, and leave it at once. */
import type { LibraryDocument } from '@hengxi/server/plagdet/schema';
import { integer } from '@hengxi/contracts/format';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Pagination } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { followRun } from '../../lib/runs.ts';
import { useSession } from '../../lib/session.ts';
import { versionOf } from '../../lib/sign-in.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ACCEPT } from './file-choice.tsx';
import styles from './plagdet.module.css';
import { documentsQuery, indexDocuments, refresh, removeDocument, scopeQuery, sendDocument } from './queries.ts';

const BATCH = 200;

export function LibrarySection() {
  const scope = useQuery(scopeQuery);
  const [page, setPage] = useState(1);
  const documents = useQuery(documentsQuery(page));
  const [consents, setConsents] = useState(false);
  const [working, setWorking] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isEnterprise = useSession(({ token }) => token !== null && versionOf(token) === 2);
  const [removing, setRemoving] = useState<LibraryDocument | null>(null);
  const input = useRef<HTMLInputElement>(null);

  /** Follows what is being added, also what another tab began. */
  const runId = scope.data?.run_id ?? null;
  useEffect(() => {
    if (runId === null) return undefined;
    const controller = new AbortController();
    followRun(runId, (step) => setWorking(step.progress?.text ?? '排队中'), controller.signal).then(
      async ({ state }) => {
        setWorking(null);
        await refresh();
        // What did not fit into that run goes on by itself.
        const waiting = queryClient.getQueryData(scopeQuery.queryKey)?.waiting ?? 0;
        if (state === 'done' && waiting > 0) await indexDocuments().catch(() => undefined);
      },
      () => {
        if (!controller.signal.aborted) setWorking(null);
      },
    );
    return () => controller.abort();
  }, [runId]);

  const add = async (files: readonly File[]): Promise<void> => {
    const controller = new AbortController();
    setFault(null);
    let sent = 0;
    try {
      for (const file of files) {
        setWorking(`上传第 ${sent + 1}/${files.length} 篇`);
        await sendDocument(file, controller.signal);
        sent += 1;
      }
    } catch {
      // Why is said already; what was uploaded before is added all the same.
      const [stopped, rest] = [files[sent]?.name ?? '', files.length - sent - 1];
      setFault(`“${stopped}”没有上传${rest > 0 ? `，它后面的 ${rest} 个也没有` : ''}。`);
    }
    setWorking('排队中');
    try {
      const { run_id: id } = await indexDocuments();
      // Ended before the page heard of it: nobody follows it.
      const isOver = queryClient.getQueryData(scopeQuery.queryKey)?.run_id === null;
      if (id === null || isOver) setWorking(null);
    } catch {
      setWorking(null);
    }
  };

  return (
    <section className={styles['section']} aria-labelledby="plagdet-library">
      <h2 id="plagdet-library">我的文库</h2>
      <p className={styles['quiet']}>
        只有你自己能和它比，其他用户看不到，也比不到。查重不会把文件放进文库，除非你另外同意。
        {isEnterprise ? '企业所有者导出企业全部数据时，包含你的文库和查重结果。' : ''}
        {scope.data
          ? `现有 ${integer(scope.data.documents)} 篇，共 ${integer(scope.data.characters)} 字，最多 ${integer(scope.data.limits.documents)} 篇。`
          : ''}
      </p>
      <div className={styles['add']}>
        <Checkbox checked={consents} onChange={(event) => setConsents(event.target.checked)}>
          把选中的文件加入我的文库，供我以后比对
        </Checkbox>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={ACCEPT}
          aria-label="加入文库的文件"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = '';
            if (files.length > BATCH) toast.bad(`一次最多 ${BATCH} 个文件，已选 ${files.length} 个`);
            else if (files.length > 0) void add(files);
          }}
        />
        <Button disabled={!consents || working !== null} onClick={() => input.current?.click()}>
          添加文件
        </Button>
        {working === null && (scope.data?.waiting ?? 0) > 0 ? (
          <Button onClick={() => void indexDocuments()}>继续加入 {scope.data?.waiting} 篇</Button>
        ) : null}
        <span role="status">{working ?? ''}</span>
      </div>
      {fault === null ? null : (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
      <Loaded query={documents}>
        {({ total, list }) =>
          total === 0 ? (
            <p className={styles['quiet']}>还没有文档。加入自己以前的文章、实验室的报告、全班的作业，就能互相比对。</p>
          ) : (
            <>
              <ul className={styles['list']}>
                {list.map((document) => (
                  <li key={document.id}>
                    <div>
                      <b>{document.name}</b>
                      <span className={styles['quiet']}>
                        {document.state === 'ready'
                          ? `${integer(document.characters ?? 0)} 字`
                          : (document.reason ?? '等待加入')}
                      </span>
                    </div>
                    <span className={styles['share']}>
                      {document.state === 'ready' ? '在文库' : document.state === 'refused' ? '没有加入' : '等待'}
                    </span>
                    <Button
                      size="small"
                      aria-label={`从文库删除 ${document.name}`}
                      onClick={() => setRemoving(document)}
                    >
                      删除
                    </Button>
                  </li>
                ))}
              </ul>
              {total > 10 ? (
                <Pagination
                  size="small"
                  current={page}
                  pageSize={10}
                  total={total}
                  showSizeChanger={false}
                  onChange={setPage}
                />
              ) : null}
            </>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={removing !== null}
        title="从文库删除？"
        text={`“${removing?.name ?? ''}”会立即退出比对，以前的结果里来自它的标记也不再显示。`}
        act="删除"
        danger
        onAct={() => {
          const id = removing?.id;
          setRemoving(null);
          if (id !== undefined) removeDocument(id).catch((error: unknown) => toast.bad(errorText(error)));
        }}
        onClose={() => setRemoving(null)}
      />
    </section>
  );
}
