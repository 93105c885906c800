package salience

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/cerasum/cerasum/internal/salience"
)

// Adam's constants (Kingma and Ba 2015).
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// lastRate is the final learning rate as a share of the initial one.
const lastRate = 0.05

// learner trains one network with cross-entropy on the data passed by visit.
type learner struct {
	inputs, epochs int
	rate           float64
	params         Params
	clusters       int
	visit          visitor
	progress       func(epoch int, loss float64)
}

// model is the network's parameters as one list: W (H×I), c, o (H), b. mean and
// scale standardize the inputs.
type model struct {
	inputs, hidden int
	mean, scale    []float64
	values         []float64
}

func (m *model) size() int { return m.hidden*m.inputs + 2*m.hidden + 1 }

// train trains Members networks, each from other random numbers, and returns their
// mean: one network with the hidden units of all.
func (l *learner) train(ctx context.Context) (*salience.Network, error) {
	start := &model{inputs: l.inputs, hidden: l.params.Hidden}
	if err := l.measure(ctx, start); err != nil {
		return nil, err
	}
	mean := &model{inputs: l.inputs, mean: start.mean, scale: start.scale}
	var weights, biases, outputs []float64
	last := 0.0
	members := float64(l.params.Members)
	for i := range l.params.Members {
		m := *start
		if err := l.trainMember(ctx, &m, i); err != nil {
			return nil, err
		}
		mean.hidden += m.hidden
		bias := m.hidden * m.inputs
		weights = append(weights, m.values[:bias]...)
		biases = append(biases, m.values[bias:bias+m.hidden]...)
		for _, o := range m.values[bias+m.hidden : m.size()-1] {
			outputs = append(outputs, o/members)
		}
		last += m.values[m.size()-1] / members
	}
	mean.values = slices.Concat(weights, biases, outputs, []float64{last})
	return mean.network(), nil
}

// trainMember trains the network of that index, from m with mean and scale.
func (l *learner) trainMember(ctx context.Context, m *model, member int) error {
	random := rand.New(rand.NewPCG(l.params.Seed+uint64(member), uint64(l.inputs)))
	m.values = make([]float64, m.size())
	weights := m.values[:m.hidden*m.inputs]
	for i := range weights {
		weights[i] = random.NormFloat64() / math.Sqrt(float64(m.inputs))
	}
	outputs := m.values[m.hidden*m.inputs+m.hidden : m.size()-1]
	for h := range outputs {
		outputs[h] = 0.3 * random.NormFloat64()
	}
	m.values[m.size()-1] = -2 // most pairs are unused

	first, second := make([]float64, m.size()), make([]float64, m.size())
	steps := (l.clusters + l.params.Batch - 1) / l.params.Batch
	for epoch := range l.epochs {
		order := random.Perm(l.clusters)
		loss, weight := 0.0, 0.0
		for step := range steps {
			if err := ctx.Err(); err != nil {
				return err
			}
			batch := order[step*l.params.Batch : min(len(order), (step+1)*l.params.Batch)]
			g := l.gradient(m, batch)
			if g.weight == 0 {
				continue
			}
			loss, weight = loss+g.loss, weight+g.weight
			t := float64(epoch*steps + step)
			rate := l.rate * (1 - (1-lastRate)*t/float64(l.epochs*steps))
			c1, c2 := 1-math.Pow(beta1, t+1), 1-math.Pow(beta2, t+1)
			for i, v := range g.values {
				v /= g.weight
				first[i] = beta1*first[i] + (1-beta1)*v
				second[i] = beta2*second[i] + (1-beta2)*v*v
				m.values[i] -= rate * first[i] / c1 / (math.Sqrt(second[i]/c2) + epsilon)
			}
		}
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return fmt.Errorf("%w: the loss is not finite: the learning rate is too high", ErrParams)
		}
		l.progress(member*l.epochs+epoch+1, loss/max(weight, 1e-300))
	}
	return nil
}

// measure computes mean and scale of the inputs. Nearly constant inputs get scale 0,
// which disables them.
func (l *learner) measure(ctx context.Context, m *model) error {
	sum, square := make([]float64, m.inputs), make([]float64, m.inputs)
	n := 0.0
	for i := range l.clusters {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.visit(i, func(x []float32, _, _ float64) {
			for j, v := range x {
				sum[j] += float64(v)
				square[j] += float64(v) * float64(v)
			}
			n++
		})
	}
	if n == 0 {
		return fmt.Errorf("%w: no cluster has two consecutive words", ErrExample)
	}
	m.mean, m.scale = make([]float64, m.inputs), make([]float64, m.inputs)
	for j := range sum {
		// Rounded as when encoded.
		m.mean[j] = float64(float32(sum[j] / n))
		if variance := square[j]/n - m.mean[j]*m.mean[j]; variance > 1e-6 {
			m.scale[j] = float64(float32(1 / math.Sqrt(variance)))
		}
	}
	return nil
}

// gradients of a batch, not yet divided by the weight.
type gradients struct {
	values       []float64
	loss, weight float64
}

// gradient sums the gradients of a batch, whose clusters are processed in parallel;
// the order of summation is fixed.
func (l *learner) gradient(m *model, batch []int) gradients {
	parts := make([]gradients, len(batch))
	var group sync.WaitGroup
	for i, at := range batch {
		group.Go(func() { parts[i] = l.of(m, at) })
	}
	group.Wait()
	sum := parts[0]
	for _, p := range parts[1:] {
		sum.loss, sum.weight = sum.loss+p.loss, sum.weight+p.weight
		for i, v := range p.values {
			sum.values[i] += v
		}
	}
	return sum
}

// of returns the gradient of one cluster.
func (l *learner) of(m *model, cluster int) gradients {
	g := gradients{values: make([]float64, m.size())}
	x, t := make([]float64, m.inputs), make([]float64, m.hidden)
	weights, bias := m.values[:m.hidden*m.inputs], m.values[m.hidden*m.inputs:]
	dWeights, dBias := g.values[:m.hidden*m.inputs], g.values[m.hidden*m.inputs:]
	output, dOutput := bias[m.hidden:], dBias[m.hidden:]
	l.visit(cluster, func(in []float32, want, weight float64) {
		for i, v := range in {
			x[i] = max(-salience.Clip, min(salience.Clip, (float64(v)-m.mean[i])*m.scale[i]))
		}
		z := output[m.hidden]
		for h := range t {
			s := bias[h]
			for i, w := range weights[h*m.inputs : (h+1)*m.inputs] {
				s += w * x[i]
			}
			t[h] = math.Tanh(s)
			z += output[h] * t[h]
		}
		g.weight += weight
		// want·ln(1 + e^−z) + (1 − want)·ln(1 + e^z), without overflow.
		g.loss += weight * (max(z, 0) - want*z + math.Log1p(math.Exp(-math.Abs(z))))
		d := weight * (1/(1+math.Exp(-z)) - want)
		dOutput[m.hidden] += d
		for h, v := range t {
			dOutput[h] += d * v
			da := d * output[h] * (1 - v*v)
			dBias[h] += da
			row := dWeights[h*m.inputs : (h+1)*m.inputs]
			for i, v := range x {
				row[i] += da * v
			}
		}
	})
	return g
}

// network rounds the parameters to float32.
func (m *model) network() *salience.Network {
	n := salience.NewNetwork(m.inputs, m.hidden)
	for _, part := range []struct {
		dst []float32
		src []float64
	}{
		{n.Mean, m.mean}, {n.Scale, m.scale},
		{n.Weight, m.values}, {n.Bias, m.values[m.hidden*m.inputs:]}, {n.Output, m.values[m.hidden*m.inputs+m.hidden:]},
	} {
		for i := range part.dst {
			part.dst[i] = float32(part.src[i])
		}
	}
	n.OutputBias = float32(m.values[m.size()-1])
	return n
}
