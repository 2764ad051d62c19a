// Shows the chart that sheet_render_chart drew. A picture runs no scripts, also if it is SVG.
import { connect, dataOf, element, render } from './bridge.js';

connect((result) => {
  const data = dataOf(result);
  const image = (result.content ?? []).find((one) => one.type === 'image');
  const source = image
    ? `data:${image.mimeType};base64,${image.data}`
    : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.content ?? '')}`;
  if (data.content_type === 'application/json') return render(element('p', {}, 'The data of a chart.'));
  render(
    element('h1', {}, 'Chart'),
    element('img', { src: source, alt: 'Chart', width: data.width, height: data.height }),
  );
});
