/** The part of ECharts the kinds use; loaded when the first chart is drawn. */
import {
  BarChart,
  CustomChart,
  GraphChart,
  LineChart,
  PieChart,
  RadarChart,
  SankeyChart,
  ScatterChart,
  SunburstChart,
  TreeChart,
  TreemapChart,
} from 'echarts/charts';
import { GridComponent, RadarComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';

use([
  BarChart,
  CustomChart,
  GraphChart,
  LineChart,
  PieChart,
  RadarChart,
  SankeyChart,
  ScatterChart,
  SunburstChart,
  TreeChart,
  TreemapChart,
  GridComponent,
  RadarComponent,
  LabelLayout,
  CanvasRenderer,
  SVGRenderer,
]);

export { init };
