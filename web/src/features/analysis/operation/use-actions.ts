/** What the buttons and the menu of the page do beyond changing settings. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import type { MenuProps } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { setColumns } from '../../../fields/answer-sets.ts';
import type { Form } from '../../../fields/form.ts';
import { isRecord } from '../../../fields/form.ts';
import { emptyForm } from '../../../fields/form-start.ts';
import { findableReportsQuery, versionQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import type { MeasureKind } from '../../../ui/measure-icon.tsx';
import { actOnReport, exampleForm, moveHead, reportQuery } from '../queries.ts';
import { carried } from './initial-settings.ts';
import type { Operation, OperationState } from './store.ts';
import type { Tools } from './use-form-tools.ts';

export interface Acting {
  operation: Operation;
  state: OperationState;
  declaration: Declaration;
  version: Version;
  tools: Tools;
}

/** Keeps the address on the analysis: its version (undo may change it) and its report once there is one. */
function useAddress({ state, declaration, version }: Acting): void {
  const navigate = useNavigate();
  const { pathname, search, state: handed } = useLocation();
  const { vid } = state.history.now;
  const { fid } = version;
  const { result } = state.machine;
  useEffect(() => {
    const params = new URLSearchParams({ method: declaration.path });
    if (result !== null) {
      params.set('report_id', String(result.report_id));
      params.set('project_id', String(result.project_id));
    }
    // The slash of the method's path is readable and legal in a query.
    const wanted = `?${params.toString().replace('%2F', '/')}`;
    const path = `/analysis/operation/${vid}`;
    // What was handed over is in the form now; a reload must not hand it over again.
    const spent = isRecord(handed) && 'carry' in handed;
    if (pathname.startsWith('/analysis/operation/') && (pathname !== path || search !== wanted || spent)) {
      void navigate(path + wanted, { replace: true, state: { inPlace: true } });
    }
  }, [vid, result, declaration.path, pathname, search, handed, navigate]);
  // The result page and the lists show the new revision when they are visited next.
  useEffect(() => {
    if (result === null) return;
    const later = { refetchType: 'none' } as const;
    void queryClient.invalidateQueries({ queryKey: ['report', result.project_id, result.report_id], ...later });
    void queryClient.invalidateQueries({ queryKey: ['reports'], ...later });
  }, [result]);
  // The file's own undo follows: what is newest there is what is worked on here.
  const before = useRef(vid);
  useEffect(() => {
    if (before.current === vid) return;
    before.current = vid;
    moveHead(fid, vid).then(
      () => void queryClient.invalidateQueries({ queryKey: ['files'] }),
      () => undefined,
    );
  }, [vid, fid]);
}

/** Saving: with the report where there is one, else by running, which makes one. */
function useSaving({ operation, state }: Acting) {
  const [saving, setSaving] = useState(false);
  const saveNow = useCallback(async (): Promise<'kept' | 'device'> => {
    if (operation.store.getState().machine.result === null) {
      await operation.run.run();
      return operation.store.getState().machine.result === null ? 'device' : 'kept';
    }
    return (await operation.flush()) ? 'kept' : 'device';
  }, [operation]);
  const save = useCallback(async (): Promise<void> => {
    setSaving(true);
    const where = await saveNow();
    setSaving(false);
    if (where === 'kept') toast.done('已保存');
    else if (state.machine.going !== null) toast.note('运行完成后自动保存');
    else toast.note('还不能运行，设置已保存在这台设备上');
  }, [saveNow, state.machine.going]);
  const saveToLeave = useCallback(async (): Promise<void> => {
    if ((await saveNow()) === 'device') toast.note('草稿保存在这台设备上，下次打开时继续');
  }, [saveNow]);
  return { saving, save, saveToLeave };
}

export function useActions(acting: Acting) {
  const { operation, state, declaration, version, tools } = acting;
  const navigate = useNavigate();
  const { path, help } = declaration;
  const { result, frozen } = state.machine;
  useAddress(acting);
  const saving = useSaving(acting);
  const previous = useQuery(findableReportsQuery);

  const freeze = async (on: boolean): Promise<void> => {
    if (result === null) return;
    await actOnReport(result, { frozen: on }).then(
      () => operation.run.setFrozen(on),
      () => undefined,
    );
  };
  const openNew = (vid: number, method: string, carry: Form): void => {
    void navigate(`/analysis/operation/${vid}?method=${method}`, { state: { carry } });
  };
  const duplicate = (): void => {
    openNew(operation.work.vid, path, operation.work.form);
    toast.done('已复制为新的分析');
  };
  const bring = (): void => {
    const last = previous.data?.find((row) => row.fid === version.fid && row.rid !== state.report_id);
    if (last === undefined) {
      toast.note('这份数据还没有别的分析');
      return;
    }
    void queryClient
      .fetchQuery(reportQuery({ project_id: last.project_id, report_id: last.rid }))
      .then((report) =>
        operation.apply(
          carried(declaration, [...version.columns, ...setColumns(version.sets, version.columns)], report.form),
          `带入“${last.title}”的变量`,
        ),
      )
      .catch(() => undefined);
  };
  const fillExample = (): void => {
    void exampleForm(help.example_data)
      .then((form) => operation.apply({ ...emptyForm(declaration), ...form }, '填入示例'))
      .catch(() => toast.note('示例没有取到，请稍后再试'));
  };
  const reset = (): void => operation.apply(emptyForm(declaration), '恢复默认设置');
  const switchVersion = (vid: number): void => {
    void queryClient
      .ensureQueryData(versionQuery(vid))
      .then((to) => operation.commit({ vid, form: operation.work.form }, `换到 v${to.number}`))
      .catch(() => undefined);
  };
  const switchFile = (vid: number): void => void navigate(`/analysis/operation/${vid}?method=${path}`);

  const items: MenuProps['items'] = [
    { key: 'duplicate', label: '复制分析', extra: 'Ctrl+D' },
    ...(declaration.needs_data === false ? [] : [{ key: 'bring', label: '从上一个分析带入变量' }]),
    { key: 'reset', label: '恢复默认设置' },
    { type: 'divider' },
    { key: 'freeze', label: frozen ? '解除冻结' : '冻结结果', disabled: result === null },
    { key: 'other', label: '换一个方法' },
  ];
  const menu: MenuProps = {
    items,
    onClick: ({ key }) => {
      if (key === 'duplicate') duplicate();
      else if (key === 'bring') bring();
      else if (key === 'reset') reset();
      else if (key === 'freeze') void freeze(!frozen);
      else void navigate('/analysis/index');
    },
  };
  return {
    ...saving,
    menu,
    fillExample,
    duplicate,
    freeze,
    switchFile,
    switchVersion,
    retype: (ids: readonly string[], kind: MeasureKind) => tools.retypeTo(ids, kind).catch(() => undefined),
    reportUrl:
      result === null
        ? null
        : `/analysis/result/${state.history.now.vid}?report_id=${result.report_id}&project_id=${result.project_id}`,
  };
}
