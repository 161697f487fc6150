/** /dataprocessing/dispose/{vid}?method=group/key[&step&of]: gathers what the step starts from, then hands over. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';

import { firstFitting, place } from '../../fields/boxes/box.ts';
import { byId } from '../../fields/column.ts';
import type { Form } from '../../fields/form.ts';
import { isRecord } from '../../fields/form.ts';
import { withDimensions } from '../../fields/dimensions/fill.ts';
import { emptyForm, ownBoxes } from '../../fields/form-start.ts';
import { stepsQuery } from '../../fields/steps/queries.ts';
import { errorText, isNotFound } from '../../lib/api.ts';
import { versionQuery } from '../../lib/catalogue.ts';
import { writeCurrentVid } from '../../lib/current.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import type { DisposeProps } from './dispose/dispose.tsx';
import { Dispose } from './dispose/dispose.tsx';
import { readStepDraft, visitOf } from './dispose/step-draft.ts';
import { methodQuery } from './queries.ts';

const idOf = (text: string | null | undefined): number | null =>
  text && /^[1-9]\d{0,9}$/u.test(text) ? Number(text) : null;

type Sources = Pick<DisposeProps, 'declaration' | 'version'>;

/** Variables named in the address go into the boxes that take them, one after the other. */
function formWith({ declaration, version }: Sources, ids: readonly string[], settings: Form): Form {
  const known = byId(version.columns);
  let form: Form = { ...emptyForm(declaration), ...settings };
  for (const id of ids.filter((one) => known.has(one))) {
    const boxes = ownBoxes(declaration, form, form, known);
    const box = firstFitting(form, boxes, [id], version.columns);
    if (box !== null) form = place(form, boxes, box, [id], version.columns).form;
  }
  return form;
}

/** Dimensions of the questionnaire that another page names, put where the step takes them. */
function formOfDimensions({ declaration, version }: Sources, ids: readonly unknown[]): Form | null {
  const { takes_dimensions, fields } = declaration;
  const takes = takes_dimensions ?? null;
  const dimensions = version.questionnaire?.dimensions ?? [];
  const wanted = dimensions.filter(({ id }) => ids.includes(id));
  return takes === null || wanted.length === 0
    ? null
    : withDimensions(emptyForm(declaration), { takes, fields }, dimensions, wanted);
}

function useSources() {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const vid = idOf(useParams()['vid']) ?? 0;
  const path = params.get('method');
  const [step, of] = [idOf(params.get('step')), idOf(params.get('of'))];
  const edited = step === null || of === null ? null : { step_id: step, of };
  const version = useQuery(versionQuery(vid));
  const method = useQuery({ ...methodQuery(path ?? ''), enabled: path !== null });
  const steps = useQuery({ ...stepsQuery(of ?? 0), enabled: edited !== null });
  const carried = isRecord(state) && isRecord(state['form']) ? state['form'] : null;
  const dimensions = isRecord(state) && Array.isArray(state['dimensions']) ? state['dimensions'] : null;
  return {
    vid,
    path,
    edited,
    version,
    method,
    steps,
    carried,
    dimensions,
    columns: (params.get('columns') ?? '').split(','),
  };
}

/** The settings of the step that is changed, what another page handed over, else an empty form. */
function startOf(sources: ReturnType<typeof useSources>, given: Sources): Form {
  const { edited, steps, carried, dimensions, columns } = sources;
  const old = steps.data?.list.find((step) => step.step_id === edited?.step_id)?.params;
  const own = dimensions === null ? null : formOfDimensions(given, dimensions);
  if (own !== null) return own;
  if (carried !== null) return formWith(given, columns, carried);
  // A step is changed on the rows it was made for, whatever filter is active now.
  if (old !== undefined && isRecord(old['form']))
    return { ...emptyForm(given.declaration), ...old['form'], _filter: old['filter'] ?? null };
  return formWith(given, columns, {});
}

export function DisposePage() {
  const sources = useSources();
  const navigate = useNavigate();
  const location = useLocation();
  const { vid, path, edited, version, method, steps, columns } = sources;
  useEffect(() => {
    if (path === null) void navigate(`/dataprocessing/index?vid=${vid}`, { replace: true });
  }, [path, vid, navigate]);
  useEffect(() => writeCurrentVid(vid), [vid]);
  const error = [version, method, steps].find((query) => query.isLoadingError)?.error ?? null;
  if (error !== null) {
    return (
      <div style={{ padding: '0 32px' }}>
        <EmptyState
          heading
          title={isNotFound(error) ? '没有找到这份数据或方法' : '页面没有打开'}
          hint={isNotFound(error) ? '它可能已被删除，或属于另一个账号。' : errorText(error)}
          actions={<Button onClick={() => void navigate('/dataprocessing/index')}>返回选方法</Button>}
        />
      </div>
    );
  }
  if (version.data === undefined || method.data === undefined || (edited !== null && steps.data === undefined))
    return <PageSkeleton />;
  const { declaration, help } = method.data;
  const start = startOf(sources, { declaration, version: version.data });
  const handed =
    sources.carried !== null || sources.dimensions !== null || edited !== null || columns.some((id) => id !== '');
  const place = { vid, path: declaration.path, step: edited?.step_id ?? null, visit: visitOf(location) };
  const draft = readStepDraft(place, handed);
  return (
    <Dispose
      key={location.key}
      declaration={declaration}
      help={help}
      version={version.data}
      start={start}
      edited={edited}
      place={place}
      draft={draft === null ? null : { ...emptyForm(declaration), ...draft }}
    />
  );
}
