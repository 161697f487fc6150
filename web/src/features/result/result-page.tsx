/** /analysis/result/{vid}?project_id&report_id[&rev]: a report; without a report, the reports of the project or of the version. */
import { useParams, useSearchParams } from 'react-router';

import { ReportList } from './report-list.tsx';
import { ReportPage } from './report-page.tsx';

const idOf = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^[1-9]\d{0,9}$/u.test(text) ? Number(text) : null;

export function ResultPage() {
  const [params] = useSearchParams();
  const vid = idOf(useParams()['vid']) ?? 0;
  const report_id = idOf(params.get('report_id'));
  const project_id = idOf(params.get('project_id'));
  if (report_id === null) return <ReportList vid={vid} project={project_id} />;
  const place = { project_id: project_id ?? 0, report_id };
  return <ReportPage key={report_id} place={place} vid={vid} rev={idOf(params.get('rev'))} />;
}
