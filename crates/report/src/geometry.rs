//! Points, rectangles and paths.

use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

pub(crate) fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(self) -> f64 {
        self.y + self.height
    }

    pub fn center(self) -> Point {
        point(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub fn moved(self, by: Point) -> Rect {
        Rect {
            x: self.x + by.x,
            y: self.y + by.y,
            ..self
        }
    }

    /// The rectangle with `margin` more (or less) on every side.
    pub fn grown(self, margin: f64) -> Rect {
        Rect {
            x: self.x - margin,
            y: self.y - margin,
            width: self.width + 2.0 * margin,
            height: self.height + 2.0 * margin,
        }
    }

    pub fn contains(self, p: Point) -> bool {
        p.x > self.x && p.x < self.right() && p.y > self.y && p.y < self.bottom()
    }

    /// The smallest rectangle around both.
    pub fn union(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect {
            x,
            y,
            width: self.right().max(other.right()) - x,
            height: self.bottom().max(other.bottom()) - y,
        }
    }
}

/// One piece of a path, from where the last one ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Segment {
    Line(Point),
    Cubic(Point, Point, Point),
}

/// A connected line.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Path {
    pub start: Point,
    pub segments: Vec<Segment>,
}

impl Path {
    pub fn from(start: Point) -> Path {
        Path {
            start,
            segments: Vec::new(),
        }
    }

    pub fn line(mut self, to: Point) -> Path {
        if to != self.end() {
            self.segments.push(Segment::Line(to));
        }
        self
    }

    pub fn cubic(mut self, leave: Point, arrive: Point, to: Point) -> Path {
        self.segments.push(Segment::Cubic(leave, arrive, to));
        self
    }

    /// A curve that leaves and arrives vertically.
    pub fn vertical_curve(self, to: Point) -> Path {
        let from = self.end();
        let middle = (from.y + to.y) / 2.0;
        self.cubic(point(from.x, middle), point(to.x, middle), to)
    }

    /// Horizontal and vertical lines through the given points, with round corners.
    pub fn rounded(points: &[Point], radius: f64) -> Path {
        let mut path = Path::from(points.first().copied().unwrap_or_default());
        for corner in points.windows(3) {
            let [before, at, after] = [corner[0], corner[1], corner[2]];
            let radius = radius
                .min(distance(before, at) / 2.0)
                .min(distance(at, after) / 2.0);
            let arrive = toward(at, before, radius);
            let leave = toward(at, after, radius);
            path = path.line(arrive).cubic(
                toward(at, before, radius * 0.45),
                toward(at, after, radius * 0.45),
                leave,
            );
        }
        match points.last() {
            Some(last) if points.len() > 1 => path.line(*last),
            _ => path,
        }
    }

    pub fn end(&self) -> Point {
        match self.segments.last() {
            None => self.start,
            Some(Segment::Line(to) | Segment::Cubic(_, _, to)) => *to,
        }
    }

    /// The last point before the end that tells the direction of arrival.
    pub fn before_end(&self) -> Point {
        let end = self.end();
        let mut candidates = vec![self.start];
        for segment in &self.segments {
            match *segment {
                Segment::Line(to) => candidates.push(to),
                Segment::Cubic(a, b, to) => candidates.extend([a, b, to]),
            }
        }
        let apart = candidates.iter().rev().find(|p| distance(**p, end) > 0.5);
        apart.copied().unwrap_or(self.start)
    }

    pub fn moved(mut self, by: Point) -> Path {
        let shift = |p: Point| point(p.x + by.x, p.y + by.y);
        self.start = shift(self.start);
        for segment in &mut self.segments {
            *segment = match *segment {
                Segment::Line(to) => Segment::Line(shift(to)),
                Segment::Cubic(a, b, to) => Segment::Cubic(shift(a), shift(b), shift(to)),
            };
        }
        self
    }

    /// The same path with all points on whole pixels.
    pub fn on_pixels(mut self) -> Path {
        let snap = |p: Point| point(p.x.round(), p.y.round());
        self.start = snap(self.start);
        for segment in &mut self.segments {
            *segment = match *segment {
                Segment::Line(to) => Segment::Line(snap(to)),
                Segment::Cubic(a, b, to) => Segment::Cubic(snap(a), snap(b), snap(to)),
            };
        }
        self
    }

    /// Points along the path, `per_curve` for every curve.
    pub fn samples(&self, per_curve: usize) -> Vec<Point> {
        let mut points = vec![self.start];
        let mut from = self.start;
        for segment in &self.segments {
            let steps = 1..=per_curve.max(1);
            let at = |step: usize| step as f64 / per_curve.max(1) as f64;
            match *segment {
                Segment::Line(to) => {
                    points.extend(steps.map(|step| {
                        let t = at(step);
                        point(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t)
                    }));
                    from = to;
                }
                Segment::Cubic(a, b, to) => {
                    points.extend(steps.map(|step| cubic_at(from, a, b, to, at(step))));
                    from = to;
                }
            }
        }
        points
    }

    /// The `d` attribute of SVG.
    pub fn data(&self) -> String {
        let mut data = format!("M{}", pair(self.start));
        for segment in &self.segments {
            let _ = match segment {
                Segment::Line(to) => write!(data, "L{}", pair(*to)),
                Segment::Cubic(a, b, to) => {
                    write!(data, "C{} {} {}", pair(*a), pair(*b), pair(*to))
                }
            };
        }
        data
    }
}

fn cubic_at(p: Point, a: Point, b: Point, q: Point, t: f64) -> Point {
    let s = 1.0 - t;
    let (w0, w1, w2, w3) = (s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
    point(
        w0 * p.x + w1 * a.x + w2 * b.x + w3 * q.x,
        w0 * p.y + w1 * a.y + w2 * b.y + w3 * q.y,
    )
}

pub(crate) fn distance(p: Point, q: Point) -> f64 {
    ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)).sqrt()
}

/// The point `by` away from `from` in the direction of `to`.
pub(crate) fn toward(from: Point, to: Point, by: f64) -> Point {
    let length = distance(from, to);
    if length < 1e-9 {
        return from;
    }
    let scale = by / length;
    point(
        from.x + (to.x - from.x) * scale,
        from.y + (to.y - from.y) * scale,
    )
}

/// A coordinate with one decimal at most.
pub(crate) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    match tenths.abs() % 10 {
        0 => format!("{sign}{}", tenths.abs() / 10),
        digit => format!("{sign}{}.{digit}", tenths.abs() / 10),
    }
}

fn pair(p: Point) -> String {
    format!("{},{}", number(p.x), number(p.y))
}
